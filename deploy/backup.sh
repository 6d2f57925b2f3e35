#!/bin/sh
# Backs a Runward service up into a new folder; the service may be running. Needs DATABASE_URL or DATABASE_URL_FILE, DATA_DIR, pg_dump
# and tar:
#   DATABASE_URL=postgres://... DATA_DIR=/var/lib/runward sh deploy/backup.sh /backups/2030-01-31
# With DATABASE_SCHEMA, backs that schema up and no other. With FILES_URL, saves no files: back the bucket up after this, with the tools of
# its store. A backup that failed can be repeated.
set -eu
umask 077
folder=${1:?Name the folder of the backup.}
folder=${folder%/}
if [ -n "${DATABASE_URL_FILE:-}" ]; then
  [ -z "${DATABASE_URL:-}" ] || { echo 'DATABASE_URL and DATABASE_URL_FILE are both set; unset one of them.' >&2; exit 1; }
  DATABASE_URL=$(cat "$DATABASE_URL_FILE")
fi
: "${DATABASE_URL:?Set DATABASE_URL to the database of the service.}" "${DATA_DIR:?Set DATA_DIR to the folder of the service.}"
if [ -z "${FILES_URL:-}" ] && [ ! -d "$DATA_DIR/files" ]; then
  echo "$DATA_DIR/files does not exist; correct DATA_DIR, or set FILES_URL if the files are in a bucket." >&2
  exit 1
fi
if [ -e "$folder" ]; then
  echo "$folder exists; name a new folder." >&2
  exit 1
fi

# The folder gets its name when everything is in it, so that an interrupted backup is never taken for one.
part=$folder.part
rm -rf "$part"
mkdir -p "$part"
# The database first: a file that is uploaded meanwhile is then bytes without a row, which is harmless, and not a row without bytes.
pg_dump --format=custom ${DATABASE_SCHEMA:+--schema="$DATABASE_SCHEMA" --extension=pg_trgm} --file="$part/database.dump" "$DATABASE_URL"
# tar ends with 1 if a file changed or disappeared while it was read, as a deleted one may.
[ -n "${FILES_URL:-}" ] || tar -cf "$part/files.tar" -C "$DATA_DIR" files || [ $? -eq 1 ]
mv "$part" "$folder"
echo "Backed up to $folder."
