# A llama.cpp server with OpenAI's protocol, from the Python package llama-cpp-python. Mount the model at /models.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends build-essential cmake && rm -rf /var/lib/apt/lists/*
# No CPU-specific instructions of the build machine, so that the image also runs on other machines.
ENV CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON" PIP_NO_CACHE_DIR=1 PIP_PREFIX=/server
RUN pip install "llama-cpp-python[server]==0.3.36"

FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home model
COPY --from=build /server /usr/local
USER 10001
ENTRYPOINT ["python", "-m", "llama_cpp.server"]
