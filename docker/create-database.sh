#!/bin/sh
# Run once by the image of PostgreSQL, when it makes its data: the role of the app and its database. The role is no superuser;
# CREATEDB is for restores, which build a second database.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/database-password)" --username="$POSTGRES_USER" --dbname=postgres << 'END'
CREATE ROLE nivida LOGIN CREATEDB PASSWORD :'password';
CREATE DATABASE nivida OWNER nivida;
REVOKE ALL ON DATABASE nivida FROM PUBLIC;
END
