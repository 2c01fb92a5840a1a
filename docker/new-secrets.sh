#!/bin/sh
# Makes docker/secrets once: the passwords of the database's roles, and a file of variables for web, worker and commands. Needs openssl.
# It never overwrites: a lost SESSION_KEYS ends all sessions, a lost VAPID pair all push subscriptions. Keep a copy elsewhere.
set -eu
case "${1:-}" in --help) echo "Usage: sh docker/new-secrets.sh: makes docker/secrets, which must not exist"; exit 0 ;; esac
umask 077
folder="$(dirname "$0")/secrets"
[ ! -e "$folder" ] || { echo "$folder exists already; nothing was made" >&2; exit 1; }
made="$(mktemp -d "$folder.XXXXXX")"
trap 'rm -rf "$made"' EXIT

base64url() { base64 | tr -d '\n=' | tr '+/' '-_'; }
random() { openssl rand 32 | base64url; }

# The pair of web push: in this form the private key is bytes 8 to 39, the public one the last 65.
openssl ecparam -name prime256v1 -genkey -noout -outform DER > "$made/vapid"
private="$(tail -c +8 "$made/vapid" | head -c 32 | base64url)"
public="$(tail -c 65 "$made/vapid" | base64url)"
rm "$made/vapid"

# Of the profile `monitoring`: mail-password is yours, for monitoring/alertmanager.yml.
metrics_token="$(openssl rand -hex 20)"
printf '%s' "$metrics_token" > "$made/metrics-token"
random > "$made/grafana-password"
: > "$made/mail-password"

password="$(random)"
printf '%s' "$password" > "$made/database-password"
random > "$made/database-admin-password"
cat > "$made/nivida" << END
DATABASE_URL=postgresql://nivida:$password@database:5432/nivida
# The database itself, when DATABASE_URL names a pooler by transaction (docs/operations.md, Pooler).
DATABASE_URL_DIRECT=
SESSION_KEYS=$(random)
OTP_PEPPER=$(random)
VAPID_PUBLIC_KEY=$public
VAPID_PRIVATE_KEY=$private
# Yours: smtp://user:password@host:port, and what the dashboards of PhonePe and Razorpay say for the
# providers that PAYMENT_PROVIDER and PAYMENT_FALLBACK name.
MAIL_URL=
PHONEPE_CLIENT_SECRET=
PHONEPE_WEBHOOK_SECRET=
RAZORPAY_KEY_SECRET=
RAZORPAY_WEBHOOK_SECRET=
# A mailbox whose attachments are files of feeds; optional (docs/data.md).
IMAP_URL=
# The token of /api/metrics; optional: a streaming replica with its password, and the account of an object store.
DATABASE_URL_READ=
METRICS_TOKEN=$metrics_token
S3_ACCESS_KEY_ID=
S3_SECRET_ACCESS_KEY=
BACKUP_S3_ACCESS_KEY_ID=
BACKUP_S3_SECRET_ACCESS_KEY=
END
# Containers read them as other users; the folder keeps this machine's users out.
chmod 444 "$made"/*
mv "$made" "$folder"
echo "Made $folder; now fill in MAIL_URL and the secrets of your payment provider in $folder/nivida"
