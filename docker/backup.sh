#!/bin/sh
# Writes a backup of database and files at start and each day at BACKUP_AT (UTC), and deletes those older than BACKUP_DAYS.
#   backup.sh          for ever         backup.sh once     one now         backup.sh check    fails without one of the last 26 hours
# A backup is the folder /backups/<instant> with database.dump (pg_restore) and files.tar; unfinished ones have another name.
set -eu
folder="${BACKUP_FOLDER:-/backups}"
files="${FILES_FOLDER:-/data}"
[ ! -r /run/secrets/database-password ] || PGPASSWORD="$(cat /run/secrets/database-password)"
export PGPASSWORD

once() {
  stamp="$(date -u +%Y-%m-%dT%H%M%SZ)"
  rm -rf "$folder"/unfinished-*
  made="$folder/unfinished-$stamp"
  mkdir "$made"
  # The database first: it names no file that is not there yet.
  pg_dump --format=custom --file "$made/database.dump"
  pg_restore --list "$made/database.dump" > "$made/contents.txt"
  tar -C "$files" -cf "$made/files.tar" .
  sync
  mv "$made" "$folder/$stamp"
  find "$folder" -mindepth 1 -maxdepth 1 -name '20*Z' -mtime "+$BACKUP_DAYS" -exec rm -rf {} +
  echo "Backup $folder/$stamp: $(du -sh "$folder/$stamp" | cut -f1)"
}

case "${1:-}" in
  once) once ;;
  check) [ -n "$(find "$folder" -mindepth 1 -maxdepth 1 -name '20*Z' -mmin -1560)" ] ;;
  *)
    while true; do
      # A process of its own: where its failure is asked about, a function would go on after a failed step.
      sh "$0" once || echo 'The backup failed' >&2
      now="$(date -u +%s)"
      next="$(date -u -d "$BACKUP_AT" +%s)"
      [ "$next" -gt "$now" ] || next=$((next + 86400))
      sleep $((next - now)) &
      wait $!
    done
    ;;
esac
