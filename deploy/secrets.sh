#!/bin/sh
# Writes the secrets that deploy/ needs: a random password for each user.
#
#   deploy/secrets.sh                     for compose.yaml: the coordinator, worker-1 to worker-3, the store, Grafana
#   deploy/secrets.sh worker-4            for the coordinator, the store, Grafana and only the named workers
#
# Writes to deploy/secrets, or to the folder in SECRETS; only the owner can read the files. Keeps existing secrets; to
# renew a secret, remove its file first. QUEUE is the host and port of the queue's server [queue:4222].
#
#   NAME.env      environment of the coordinator or the worker of that name: its user of the queue and of the store.
#                 No other process needs this file
#   users.conf    the accounts and users of the queue, for its server: nats/server.conf
#   store-users   the users of the store, which store/make.sh creates
#   store.env, grafana.env    the administrators of the store and of Grafana
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)
folder=${SECRETS:-$here/secrets}
queue=${QUEUE:-queue:4222}
mkdir -p "$folder"

# Prints 192 random bits as hexadecimal digits.
random() {
    bits=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
    [ ${#bits} -eq 48 ] || { echo "secrets.sh: /dev/urandom gives no random bits" >&2; exit 1; }
    printf %s "$bits"
}

# Writes a file atomically.
write() {
    cat >"$folder/.new"
    mv "$folder/.new" "$folder/$1"
}

# Prints the value of a variable in a file.
value() {
    sed -n "s/^$1=//p" "$folder/$2"
}

account() {
    [ -e "$folder/$1.env" ] && return
    password=$(random)
    secret=$(random)
    write "$1.env" <<END
VIVID_QUEUE=nats://$1:$password@$queue
AWS_ACCESS_KEY_ID=$1
AWS_SECRET_ACCESS_KEY=$secret
END
}

for name in "$@"; do
    case $name in
        *[!a-z0-9-]* | coordinator | store | grafana | -* | "" | ? | ?? | ?????????????????????*)
            echo "secrets.sh: a worker's name has 3 to 20 characters of a-z, 0-9 and -, unlike \"$name\"" >&2
            exit 2
            ;;
    esac
done
[ $# -gt 0 ] || set -- worker-1 worker-2 worker-3
for name in coordinator "$@"; do account "$name"; done
secret=$(random)
[ -e "$folder/store.env" ] || write store.env <<END
MINIO_ROOT_USER=root
MINIO_ROOT_PASSWORD=$secret
END
secret=$(random)
[ -e "$folder/grafana.env" ] || write grafana.env <<END
GF_SECURITY_ADMIN_PASSWORD=$secret
END

# Prints all names that have a file, including those from earlier runs.
accounts() {
    for file in "$folder"/*.env; do
        name=$(basename "$file" .env)
        case $name in store | grafana) ;; *) echo "$name" ;; esac
    done
}

for name in $(accounts); do
    echo "$name $(value AWS_SECRET_ACCESS_KEY "$name.env")"
done | write store-users

{
    echo "# Made by deploy/secrets.sh."
    echo "accounts: {"
    for name in $(accounts); do
        password=$(value VIVID_QUEUE "$name.env" | sed -n -E 's#^(nats|tls)://[^:]*:([^@]*)@.*#\2#p')
        if [ -z "$password" ]; then
            echo "secrets.sh: VIVID_QUEUE in $name.env names no user and password" >&2
            exit 1
        fi
        case $name in coordinator) role=coordinator ;; *) role=worker ;; esac
        sed -e "s/NAME/$name/g" -e "s/PASSWORD/$password/g" "$here/nats/$role.conf"
    done
    echo "}"
} >"$folder/.new"
mv "$folder/.new" "$folder/users.conf"
