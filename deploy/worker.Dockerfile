# A worker, which renders images. Build the image from the root of the repository:
#   docker build -f deploy/worker.Dockerfile -t vivid-worker .
# With NVIDIA's container runtime, the worker uses the graphics card through Vulkan; otherwise it renders on the CPU.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --profile dist --locked -p worker && cp target/dist/vivid-worker /vivid-worker

FROM debian:bookworm-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates libvulkan1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home vivid
COPY --from=build /vivid-worker /usr/local/bin/vivid-worker
USER 10001
ENV VIVID_METRICS_LISTEN=0.0.0.0:9090 VIVID_LOG_FORMAT=json NVIDIA_DRIVER_CAPABILITIES=graphics,compute
EXPOSE 9090
ENTRYPOINT ["vivid-worker"]
