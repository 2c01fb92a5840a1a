#!/bin/sh
# Writes the password of the app's role where PgBouncer reads it, then starts PgBouncer.
set -eu
umask 077
printf '"nivida" "%s"\n' "$(cat /run/secrets/database-password)" > /tmp/users.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
