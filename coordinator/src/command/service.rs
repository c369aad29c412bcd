//! The service that a command calls, and its request.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use crate::config::{TOKEN_VARIABLE, URL_VARIABLE};

/// The service to call.
#[derive(Debug, Args)]
pub(super) struct Service {
    /// Data folder of a service on this machine, which contains its address and token
    #[arg(long, global = true, env = "VIVID_DATA_DIR", value_name = "FOLDER", default_value = "./data")]
    pub(super) data_dir: PathBuf,
    /// Address of the service's admin API [default: read from the data folder]
    #[arg(long, global = true, env = URL_VARIABLE, value_name = "URL")]
    pub(super) admin_url: Option<String>,
    /// The operator's token [default: read from the data folder]
    #[arg(long, global = true, env = TOKEN_VARIABLE, hide_env_values = true, value_name = "TOKEN")]
    pub(super) admin_token: Option<String>,
}

/// A request to the admin API.
pub(super) struct Asked {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) idempotency_key: Option<String>,
}

impl Asked {
    pub(super) fn get(path: impl Into<String>) -> Self {
        Self { method: "GET", path: path.into(), body: None, idempotency_key: None }
    }

    pub(super) fn post(path: impl Into<String>) -> Self {
        Self { method: "POST", ..Self::get(path) }
    }

    pub(super) fn delete(path: impl Into<String>) -> Self {
        Self { method: "DELETE", ..Self::get(path) }
    }

    pub(super) fn send(method: &'static str, path: impl Into<String>, body: Value) -> Self {
        Self { method, path: path.into(), body: Some(body), idempotency_key: None }
    }
}
