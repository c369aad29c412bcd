# The coordinator, which serves the API and owns the state. Build the image from the root of the repository:
#   docker build -f deploy/coordinator.Dockerfile -t vivid-coordinator .
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --profile dist --locked -p coordinator && cp target/dist/coordinator /coordinator

FROM debian:bookworm-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home vivid \
    && install -d -o vivid -g vivid /data
COPY --from=build /coordinator /usr/local/bin/coordinator
USER 10001
VOLUME /data
ENV VIVID_LISTEN=0.0.0.0:8080 VIVID_METRICS_LISTEN=0.0.0.0:9090 VIVID_DATA_DIR=/data VIVID_LOG_FORMAT=json
EXPOSE 8080 9090
ENTRYPOINT ["coordinator"]
