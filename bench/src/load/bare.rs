//! A minimal axum server: every path returns the same JSON. The API's results are compared with it. It runs in a
//! separate process, like the API.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result};
use axum::http::header;
use axum::routing::get;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// File with the response body.
    body: PathBuf,
}

/// Serves until the process is killed.
///
/// # Errors
/// Fails if the file can't be read, or if there is no free port.
pub fn run(args: &Args) -> Result<()> {
    let body: axum::body::Bytes = std::fs::read(&args.body)?.into();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        let answer = move || std::future::ready(([(header::CONTENT_TYPE, "application/json")], body.clone()));
        Ok(axum::serve(listener, axum::Router::new().route("/{*path}", get(answer))).await?)
    })
}

/// A running server; killed when dropped.
pub struct Bare {
    /// Its host and port.
    pub address: String,
    _child: Child,
}

impl Bare {
    /// Starts this program as a server that returns this file.
    ///
    /// # Errors
    /// Fails if the process can't be started.
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
