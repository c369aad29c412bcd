//! Reads what a server reports about a model before the first call.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use super::error::LlmError;
use super::model::Model;

/// Timeout for listing a server's models.
const PATIENCE: Duration = Duration::from_secs(10);
/// Tokens of context that a set of pages needs: the instructions, a source, and two answers.
const CONTEXT: u64 = 24_000;

/// What a server's list of models says about the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The server lists the model, with the tokens of its context where it reports them.
    Ready(Option<u64>),
    /// The server lists only other models.
    Unlisted(Vec<String>),
    /// The server does not list its models.
    Silent,
    /// The server can't be used.
    Failed(LlmError),
}

#[derive(Deserialize)]
struct List {
    data: Vec<Listed>,
}

/// A listed model. Each server names the length of its context differently.
#[derive(Deserialize)]
struct Listed {
    id: String,
    /// vLLM.
    max_model_len: Option<u64>,
    /// OpenRouter.
    context_length: Option<u64>,
    /// LM Studio.
    max_context_length: Option<u64>,
    /// llama.cpp.
    #[serde(default)]
    meta: Value,
}

impl Listed {
    fn context(&self) -> Option<u64> {
        let stated = self.max_model_len.or(self.context_length).or(self.max_context_length);
        stated.or_else(|| self.meta.get("n_ctx").or_else(|| self.meta.get("n_ctx_train"))?.as_u64())
    }

    /// Ollama omits the tag `:latest`, and Google prefixes its names.
    fn is(&self, name: &str) -> bool {
        let id = self.id.strip_prefix("models/").unwrap_or(&self.id);
        id == name || id.strip_suffix(":latest") == Some(name)
    }
}

impl Model {
    /// Asks the server for its models and logs whether this one is usable. Uses no tokens.
    pub async fn probe(&self) -> Probe {
        let found = self.list().await;
        let model = self.name();
        match &found {
            Probe::Ready(context) => {
                tracing::info!(model, context, "model server ready");
                if let Some(context) = context.filter(|tokens| *tokens < CONTEXT) {
                    tracing::warn!(
                        model,
                        context,
                        needed = CONTEXT,
                        "the model's context may be too short for a set of pages"
                    );
                }
            }
            Probe::Unlisted(others) => {
                tracing::warn!(model, listed = others.join(", "), "model may be missing: not in the server's list");
            }
            Probe::Silent => tracing::info!(model, "model not checked: the model server does not list its models"),
            Probe::Failed(error) => tracing::warn!(model, %error, "model server unusable for now"),
        }
        found
    }

    async fn list(&self) -> Probe {
        let reply = match timeout(PATIENCE, self.endpoint.get("models")).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => return Probe::Failed(error),
            Err(_) => return Probe::Failed(LlmError::TimedOut),
        };
        match reply.error() {
            Some(error @ LlmError::Status(401 | 403)) => return Probe::Failed(error),
            Some(_) => return Probe::Silent,
            None => {}
        }
        let Some(list) = reply.body.and_then(|body| serde_json::from_slice::<List>(&body).ok()) else {
            return Probe::Silent;
        };
        match list.data.iter().find(|listed| listed.is(self.name())) {
            Some(listed) => Probe::Ready(listed.context()),
            None if list.data.is_empty() => Probe::Silent,
            None => Probe::Unlisted(list.data.into_iter().map(|listed| listed.id).take(20).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        model_at,
        server::{Reply, Server},
    };
    use super::*;

    async fn probed(status: u16, body: &str) -> Probe {
        let body = body.to_owned();
        let server = Server::start(move |_, _| Reply::Status(status, "", body.clone())).await;
        model_at(&server.base).probe().await
    }

    #[tokio::test]
    async fn a_list_of_models_is_read_as_each_server_writes_it() {
        for (listed, context) in [
            (r#"{"id":"test"}"#, None),
            (r#"{"id":"models/test"}"#, None),
            (r#"{"id":"test:latest","object":"model","owned_by":"library"}"#, None),
            (r#"{"id":"test","max_model_len":32768}"#, Some(32_768)),
            (r#"{"id":"test","context_length":131072}"#, Some(131_072)),
            (r#"{"id":"test","meta":{"n_ctx_train":8192}}"#, Some(8_192)),
        ] {
            let body = format!(r#"{{"object":"list","data":[{{"id":"other"}},{listed}]}}"#);
            assert_eq!(probed(200, &body).await, Probe::Ready(context), "{listed}");
        }
        assert_eq!(probed(200, r#"{"data":[{"id":"other"}]}"#).await, Probe::Unlisted(vec!["other".into()]));
        assert_eq!(probed(200, "<html>").await, Probe::Silent);
        assert_eq!(probed(404, "").await, Probe::Silent);
        assert_eq!(probed(401, "").await, Probe::Failed(LlmError::Status(401)));
    }
}
