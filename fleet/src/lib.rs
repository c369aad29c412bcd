//! Code that Vivid's coordinator and workers share: the protocol, the queue, object storage, outgoing HTTP requests,
//! calls to language models, the sandbox and disk reserves.

pub mod blobs;
pub mod cancel_guard;
pub mod edit;
pub mod estimate;
pub mod export;
pub mod failpoint;
pub mod fair_semaphore;
pub mod files;
pub mod illustrated;
pub mod import;
pub mod job_service;
pub mod llm;
pub mod nats;
pub mod net;
pub mod presence;
pub mod process;
pub mod protocol;
pub mod queue;
pub mod room;
pub mod sample;
pub mod sandbox;
pub mod source;
pub mod tls;
