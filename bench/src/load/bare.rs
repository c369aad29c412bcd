//! The least that a server on axum does: every path has the same JSON for an answer. The API's figures are held against
//! it, in a process of its own as the API is.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result};
use axum::http::header;
use axum::routing::get;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of the answer.
    body: PathBuf,
}

/// Serves until it is killed.
///
/// # Errors
/// A file that can't be read, no free port.
pub fn run(args: &Args) -> Result<()> {
    let body: axum::body::Bytes = std::fs::read(&args.body)?.into();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        let answer = move || std::future::ready(([(header::CONTENT_TYPE, "application/json")], body.clone()));
        Ok(axum::serve(listener, axum::Router::new().route("/{*path}", get(answer))).await?)
    })
}

/// A running one; killed when dropped.
pub struct Bare {
    /// Its host and port.
    pub address: String,
    _child: Child,
}

impl Bare {
    /// Starts this very program as one that answers with this file.
    ///
    /// # Errors
    /// Those of starting a process.
    pub async fn start(body: &Path) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("bare")
            .arg(body)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().context("its output is piped")?;
        let address = BufReader::new(stdout).lines().next_line().await?.context("the bare server ended at once")?;
        Ok(Self { address, _child: child })
    }
}
