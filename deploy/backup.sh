#!/bin/sh
# Backs a Runward service up into a new folder; the service may be running. Needs DATABASE_URL or DATABASE_URL_FILE, DATA_DIR, pg_dump
# and tar:
#   DATABASE_URL=postgres://... DATA_DIR=/var/lib/runward sh deploy/backup.sh /backups/2030-01-31
# With DATABASE_SCHEMA, backs that schema up and no other. With FILES_URL, back the bucket up after this, with the tools of its store.
set -eu
umask 077
folder=${1:?Name the folder of the backup.}
if [ -n "${DATABASE_URL_FILE:-}" ]; then
  [ -z "${DATABASE_URL:-}" ] || { echo 'DATABASE_URL and DATABASE_URL_FILE are both set; unset one of them.' >&2; exit 1; }
  DATABASE_URL=$(cat "$DATABASE_URL_FILE")
fi
: "${DATABASE_URL:?Set DATABASE_URL to the database of the service.}" "${DATA_DIR:?Set DATA_DIR to the folder of the service.}"
mkdir -p "$(dirname "$folder")"
mkdir "$folder"

# The database first: a file that is uploaded meanwhile is then bytes without a row, which is harmless, and not a row without bytes.
pg_dump --format=custom ${DATABASE_SCHEMA:+--schema="$DATABASE_SCHEMA" --extension=pg_trgm} --file="$folder/database.dump" "$DATABASE_URL"
# tar ends with 1 if a file changed or disappeared while it was read, as a deleted one may.
tar -cf "$folder/files.tar" -C "$DATA_DIR" files || [ $? -eq 1 ]
echo "Backed up to $folder."
