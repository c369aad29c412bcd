#!/bin/sh
# Creates the bucket, and a user with a policy for each line of the file that deploy/secrets.sh writes. Runs in the
# container `bucket` at every start, and keeps what already exists.
set -eu
until mc alias set s http://store:9000 "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" >/dev/null; do sleep 1; done
mc mb --ignore-existing s/vivid
for role in coordinator worker; do
    mc admin policy create s "vivid-$role" "/store/$role.json"
done
while read -r name secret <&3; do
    mc admin user add s "$name" "$secret"
    case $name in
        coordinator) policy=vivid-coordinator ;;
        *) policy=vivid-worker ;;
    esac
    # mc fails if the policy is already attached.
    attached=
    while read -r field value; do
        [ "$field" != PolicyName: ] || attached=$value
    done <<END
$(mc admin user info s "$name")
END
    [ "$attached" = "$policy" ] || mc admin policy attach s "$policy" --user "$name"
done 3</users
