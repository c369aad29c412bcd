//! Client of the admin API, which speaks HTTP/1.1.

use std::time::Duration;

use anyhow::{Context, bail};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::service::{Asked, Service};
use crate::admin::token;

/// Timeout of a request, including its response.
const TIME: Duration = Duration::from_secs(60);
/// Maximum size of a response in bytes.
const ANSWER_BYTES: usize = 64 << 20;

/// Address of the service and the operator's token.
pub(super) struct Client {
    authority: String,
    token: String,
}

impl Client {
    /// Reads the address and token from the command line, or else from the data folder.
    pub(super) fn new(service: &Service) -> anyhow::Result<Self> {
        let data = &service.data_dir;
        let url = match &service.admin_url {
            Some(url) => url.clone(),
            None => token::address_of(data).with_context(|| {
                format!("{} doesn't contain the address of a service; give it with --admin-url", data.display())
            })?,
        };
        let token = match &service.admin_token {
            Some(token) => token.clone(),
            None => token::token_of(data).with_context(|| {
                format!("can't read the operator's token in {}; give it in VIVID_ADMIN_TOKEN", data.display())
            })?,
        };
        let Some(authority) = url.trim_end_matches('/').strip_prefix("http://") else {
            bail!("--admin-url: must begin with http://; use a tunnel to reach a service on another machine");
        };
        let port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        Ok(Self { authority: if port { authority.to_owned() } else { format!("{authority}:80") }, token })
    }

    pub(super) fn base(&self) -> String {
        format!("http://{}", self.authority)
    }

    /// Sends a request. Returns whether it succeeded, and the response body.
    pub(super) async fn ask(&self, asked: &Asked) -> anyhow::Result<(bool, Bytes)> {
        let answered = timeout(TIME, self.exchange(asked)).await;
        answered.with_context(|| format!("{} doesn't answer", self.base()))?
    }

    async fn exchange(&self, asked: &Asked) -> anyhow::Result<(bool, Bytes)> {
        let stream = TcpStream::connect(&self.authority).await;
        let stream = stream.with_context(|| format!("no service answers at {}", self.base()))?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let driver = tokio::spawn(connection);
        let body = asked.body.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut request = hyper::Request::builder()
            .method(asked.method)
            .uri(&asked.path)
            .header(HOST, &self.authority)
            .header(CONNECTION, "close")
            .header(AUTHORIZATION, format!("Bearer {}", self.token));
        if asked.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        if let Some(key) = &asked.idempotency_key {
            request = request.header("Idempotency-Key", key);
        }
        let answer = sender.send_request(request.body(Full::new(Bytes::from(body)))?).await?;
        let is_success = answer.status().is_success();
        let read = Limited::new(answer.into_body(), ANSWER_BYTES).collect().await;
        driver.abort();
        Ok((is_success, read.map_err(|e| anyhow::anyhow!("the response was interrupted: {e}"))?.to_bytes()))
    }
}
