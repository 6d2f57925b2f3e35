#!/bin/sh
# Restores a backup of deploy/backup.sh into an empty database and a folder without files; no service may be running on them. A backup of one
# schema is restored into that schema, which must not exist, of any database:
#   DATABASE_URL=postgres://... DATA_DIR=/var/lib/runward sh deploy/restore.sh /backups/2030-01-31
# With FILES_URL, restores no files: restore the bucket with the tools of its store. What failed has changed nothing and can be repeated.
set -eu
umask 077
folder=${1:?Name the folder of the backup.}
if [ -n "${DATABASE_URL_FILE:-}" ]; then
  [ -z "${DATABASE_URL:-}" ] || { echo 'DATABASE_URL and DATABASE_URL_FILE are both set; unset one of them.' >&2; exit 1; }
  DATABASE_URL=$(cat "$DATABASE_URL_FILE")
fi
: "${DATABASE_URL:?Set DATABASE_URL to an empty database.}" "${DATA_DIR:?Set DATA_DIR to the folder of the service.}"
if [ -z "${FILES_URL:-}" ]; then
  if [ -e "$DATA_DIR/files" ]; then
    echo "$DATA_DIR/files exists; name a DATA_DIR without files." >&2
    exit 1
  fi
  if [ ! -e "$folder/files.tar" ]; then
    echo "$folder/files.tar does not exist; name a complete backup, or set FILES_URL if the files are in a bucket." >&2
    exit 1
  fi
  # The files first, and beside their place: if they cannot be read or do not fit, the database stays as it is.
  mkdir -p "$DATA_DIR"
  part=$(mktemp -d "$DATA_DIR/restored.XXXXXX")
  trap 'rm -rf "$part"' EXIT
  tar -xf "$folder/files.tar" -C "$part"
fi
# All or nothing: a database that is not empty stays as it is.
pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --dbname="$DATABASE_URL" "$folder/database.dump"
[ -n "${FILES_URL:-}" ] || mv "$part/files" "$DATA_DIR/files"
echo "Restored from $folder."
