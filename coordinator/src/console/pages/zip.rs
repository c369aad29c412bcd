//! `GET /generations/:id/zip`: every image of a generation in one file, written as it is sent.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use ::zip::write::{SimpleFileOptions, ZipWriter};
use ::zip::{CompressionMethod, result::ZipError};
use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use tokio::sync::mpsc;

use super::seat::Seat;
use crate::api::App;
use crate::api::error::{ApiError, Missing};
use crate::console::id_of;
use crate::integrity::Unsound;
use crate::state::{End, Image, Output, Snapshot};

/// What the archive is written to before it is sent: a file's bytes at most.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Bytes {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Every image that is ready, named by its format and slide.
pub(super) async fn read(
    State(app): State<Arc<App>>,
    seat: Seat,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let (account, id) = (seat.account_id, id_of(id, ApiError::Missing(Missing::Generation))?);
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let files = files(&snapshot);
    if files.is_empty() {
        return Err(ApiError::NotFound);
    }
    // All of them before the first byte: an archive that breaks off says nothing of why.
    for (_, image) in &files {
        app.integrity.sound(&image.object).await?;
    }
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(1);
    tokio::spawn(async move {
        if let Err(error) = write(&app, files, &sender).await {
            tracing::warn!(%error, generation = %id, "an archive broke off");
            // The client sees that it is not whole.
            let _ = sender.send(Err(std::io::Error::other(error))).await;
        }
    });
    let body =
        Body::from_stream(stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver))));
    let mut response = body.into_response();
    let said = response.headers_mut();
    said.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    said.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(named) = HeaderValue::try_from(format!("attachment; filename=\"{}.zip\"", file_name(&snapshot))) {
        said.insert(header::CONTENT_DISPOSITION, named);
    }
    Ok(response)
}

/// Why an archive is not whole.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error(transparent)]
    Zip(#[from] ZipError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Blob(#[from] fleet::blobs::BlobError),
    #[error(transparent)]
    Unsound(#[from] Unsound),
}

async fn write(
    app: &App,
    files: Vec<(String, Image)>,
    sender: &mpsc::Sender<Result<Bytes, std::io::Error>>,
) -> Result<(), Broken> {
    let shared = Shared::default();
    let mut archive = ZipWriter::new_stream(shared.clone());
    // Images are packed already.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, image) in files {
        let sound = app.integrity.sound(&image.object).await?;
        let bytes = app.integrity.open(&image.object, sound, None).await?.bytes().await?;
        archive.start_file(name, options)?;
        archive.write_all(&bytes)?;
        if sender.send(Ok(shared.take())).await.is_err() {
            return Ok(());
        }
    }
    archive.finish()?;
    let _ = sender.send(Ok(shared.take())).await;
    Ok(())
}

fn files(snapshot: &Snapshot) -> Vec<(String, Image)> {
    let ready = (1..).zip(&snapshot.outputs).filter_map(|(place, output): (u32, &Output)| match &output.end {
        Some(End::Ready(image)) => Some((place, output, image)),
        _ => None,
    });
    let named = ready.map(|(place, output, image)| {
        let kind = image.object.rsplit('.').next().unwrap_or("png");
        let slide = output.slide.map(|slide| format!("-{:02}", slide + 1)).unwrap_or_default();
        (format!("{place:02}-{}{slide}.{kind}", output.format), image.clone())
    });
    named.collect()
}

/// The title in letters that any system takes for a file's name.
fn file_name(snapshot: &Snapshot) -> String {
    let g = &snapshot.generation;
    let title = g.planned.as_ref().map(|p| p.title.as_str()).or(g.request.title.as_deref()).unwrap_or_default();
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.take(8).collect::<Vec<_>>().join("-").to_lowercase();
    if name.is_empty() { "images".into() } else { name.chars().take(60).collect() }
}
