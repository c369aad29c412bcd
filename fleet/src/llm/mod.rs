//! A client of language models behind OpenAI's protocols: chat completions (`POST {base}/chat/completions`) as hosted
//! services and local servers (llama.cpp, vLLM, Ollama, LM Studio) implement it, and Responses (`POST {base}/responses`).
//!
//! The operator configures the endpoint, so it may have any address: the guard of [`crate::net`] is only for addresses
//! that users supply. Redirects are refused, because they would send the key elsewhere. Everything has a limit: a call
//! in time and bytes, a job in time and tokens ([`Budget`]), a day in tokens, and the number of concurrent calls. Calls
//! skip an endpoint that fails repeatedly for a while, so that it does not delay the jobs.
//!
//! Keys, prompts and answers are never logged.

mod answer;
mod budget;
mod call;
mod chat;
mod context;
mod dialect;
mod endpoint;
mod error;
mod health;
mod json;
mod local;
mod model;
mod probe;
mod settings;
mod stream;

pub use budget::{Allowance, Budget, Price, Usage};
pub use call::{Call, Form, Role, Said, Turn};
pub use error::{ANSWER_BYTES, LlmError};
pub use json::{NoObject, object};
pub use local::{Local, find as find_local};
pub use model::Model;
pub use probe::Probe;
pub use settings::{BadSetting, Key, Settings};

#[cfg(test)]
mod tests;
