//! Finds model servers on this machine by their default ports.

use std::time::Duration;

use serde::Deserialize;
use tokio::time::timeout;

use super::endpoint::Endpoint;

/// Servers that implement OpenAI's protocol, and their default ports.
const SERVERS: [(&str, u16); 4] = [("Ollama", 11434), ("LM Studio", 1234), ("llama.cpp", 8080), ("vLLM", 8000)];
/// Timeout for listing the models of a server on this machine.
const PATIENCE: Duration = Duration::from_millis(700);
/// Parts of the names of models that don't generate text.
const SILENT: [&str; 5] = ["embed", "rerank", "whisper", "tts", "bge-"];

/// A model server that was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// The server's name.
    pub server: &'static str,
    /// The base URL of its API.
    pub base_url: String,
    /// The name of a model that the server has.
    pub model: String,
}

#[derive(Deserialize)]
struct Models {
    data: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// Finds the first server on a default port of the loopback interface that has `wanted`, or, without `wanted`, any
/// model that generates text. Sends nothing but the request for the list of models.
pub async fn find(wanted: Option<&str>) -> Option<Local> {
    for (server, port) in SERVERS {
        if let Some(local) = at(server, port, wanted).await {
            return Some(local);
        }
    }
    None
}

async fn at(server: &'static str, port: u16, wanted: Option<&str>) -> Option<Local> {
    let base_url = format!("http://127.0.0.1:{port}/v1");
    let endpoint = Endpoint::new(&base_url, None).ok()?;
    let reply = timeout(PATIENCE, endpoint.get("models")).await.ok()?.ok()?;
    // Another service may use the port.
    let models: Models = serde_json::from_slice(reply.body.as_ref()?).ok().filter(|_| reply.error().is_none())?;
    let names = models.data.into_iter().map(|named| named.id);
    let model = names.into_iter().find(|name| match wanted {
        Some(wanted) => name == wanted,
        None => !name.is_empty() && SILENT.iter().all(|part| !name.to_lowercase().contains(part)),
    })?;
    Some(Local { server, base_url, model })
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Starts a server that answers one request, and returns its port.
    async fn server(status: &'static str, body: &'static str) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 2048];
            let n = stream.read(&mut asked).await.unwrap();
            assert!(asked[..n].starts_with(b"GET /v1/models HTTP/1.1\r\n"));
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).await.unwrap();
        });
        port
    }

    #[tokio::test]
    async fn a_server_is_found_by_its_models() {
        const MODELS: &str =
            r#"{"object":"list","data":[{"id":"nomic-embed-text"},{"id":"small:4b"},{"id":"large:70b"}]}"#;
        let found = |local: Option<Local>| local.map(|l| l.model);
        assert_eq!(found(at("a", server("200 OK", MODELS).await, None).await).as_deref(), Some("small:4b"));
        let wanted = at("a", server("200 OK", MODELS).await, Some("large:70b")).await;
        assert_eq!(found(wanted).as_deref(), Some("large:70b"));
        assert_eq!(at("a", server("200 OK", MODELS).await, Some("huge")).await, None);
        for (status, body) in
            [("404 Not Found", MODELS), ("200 OK", "<html>"), ("200 OK", "{\"data\":[]}"), ("200 OK", "{}")]
        {
            assert_eq!(at("a", server(status, body).await, None).await, None, "{status} {body}");
        }
        // The listener is dropped, so nothing answers on this port.
        let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        assert_eq!(at("a", port, None).await, None);
    }
}
