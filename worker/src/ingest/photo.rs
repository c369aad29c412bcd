//! The lead photograph of a web page or a PDF. The worker fetches it under the same guard as the page, or extracts it
//! from the file. A child of the sandbox decodes it, and this service stores it as a PNG that it wrote itself. A
//! photograph that can't be shown is skipped; no input fails because of it.

use std::time::Duration;

use bytes::Bytes;
use fleet::import::PictureKind;
use fleet::net::{Fetcher, Kind};
use fleet::protocol::BlobId;
use fleet::protocol::FailureCode;
use fleet::sandbox::{Limits, Sandbox, SandboxError, Task};
use render_core::design::{Crop, Photo};
use render_core::limits::{LEAST_PHOTO_PX, PHOTO_EDGE_PX};
use render_core::scene::Image;
use render_core::warning::{Warning, WarningCode};
use tokio::time::{Instant, timeout, timeout_at};

use super::depicts::{is_photograph, opaque};
use super::pdf::{FIGURE, Figure, with_figures};
use super::shown::Shown;
use crate::import::decode::decoded;
use crate::import::pixels::Pixels;
use crate::metrics::FETCHES;

/// The child's task: the file of a photograph → its pixels, as [`Pixels::packed`].
pub(crate) const PHOTO: Task = Task { name: "photo", run: |file| read(file).map(|pixels| pixels.packed()) };

/// The child's task: the file of a picture that a source shows → its pixels, as [`Pixels::packed`].
pub(crate) const PICTURE: Task = Task { name: "picture", run: |file| any(file).map(|pixels| pixels.packed()) };

/// The minimum width and height in pixels of a picture that is shown whole.
pub(crate) const LEAST_PICTURE_PX: (u32, u32) = (320, 160);
/// Limits of one photograph.
const LIMITS: Limits =
    Limits { memory: 512 << 20, cpu_s: 5, wall: Duration::from_secs(10), answer: Pixels::most_packed(PHOTO_EDGE_PX) };

/// The outcome, in metrics, of a fetch that exceeded the timeout.
const LATE: &str = FailureCode::TimedOut.name();
/// Why a picture is missing: the timeout, or an unreadable file.
const LATE_BY: &str = "loading it takes too long";
const UNREADABLE: &str = "it can't be read";

/// A photograph and its stored file.
#[derive(Debug, Clone)]
pub(crate) struct Lead {
    /// The photograph with its pixels; its key is the name of `file`.
    pub photo: Photo,
    /// A PNG.
    pub file: Bytes,
}

/// Where to get a photograph.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LeadAt<'a> {
    /// At a URL.
    Address(&'a str),
    /// Among these pictures of a PDF.
    Figures(&'a Bytes, &'a [Figure]),
    /// In this file.
    File(&'a Bytes),
}

/// Loads a photograph within `patience`, its pixels reduced to a longer edge of `edge`. Returns `None` for a picture
/// that is too small or a drawing, which is no error.
///
/// # Errors
/// Why it is unavailable, in a few words.
pub(crate) async fn lead(
    at: LeadAt<'_>,
    fetcher: &Fetcher,
    sandbox: &Sandbox,
    patience: Duration,
    edge: u32,
) -> Result<Option<Lead>, String> {
    let until = Instant::now() + patience;
    let seen = match at {
        LeadAt::Address(url) => {
            let file = fetched(url, fetcher, until).await?;
            timeout_at(until, seen(PHOTO, file, sandbox, edge)).await
        }
        LeadAt::File(file) => timeout_at(until, seen(PHOTO, file.clone(), sandbox, edge)).await,
        LeadAt::Figures(file, figures) => {
            timeout_at(until, seen(FIGURE, with_figures(file, figures), sandbox, edge)).await
        }
    };
    seen.unwrap_or_else(|_| Err(LATE_BY.to_owned()))
}

/// Loads the picture at a URL within `patience`, its pixels reduced to a longer edge of `edge`. A drawing is shown
/// whole. Returns `None` for a picture that is too small.
///
/// # Errors
/// Why it is unavailable, in a few words.
pub(crate) async fn picture(
    url: &str,
    fetcher: &Fetcher,
    sandbox: &Sandbox,
    patience: Duration,
    edge: u32,
) -> Result<Option<Lead>, String> {
    let until = Instant::now() + patience;
    let file = fetched(url, fetcher, until).await?;
    let seen = timeout_at(until, seen(PICTURE, file, sandbox, edge)).await;
    seen.unwrap_or_else(|_| Err(LATE_BY.to_owned()))
}

/// Like [`picture`], for the picture in a file.
///
/// # Errors
/// Why it is unavailable, in a few words.
pub(crate) async fn picture_of(
    file: Bytes,
    sandbox: &Sandbox,
    patience: Duration,
    edge: u32,
) -> Result<Option<Lead>, String> {
    timeout(patience, seen(PICTURE, file, sandbox, edge)).await.unwrap_or_else(|_| Err(LATE_BY.to_owned()))
}

/// Fetches the file of a picture.
async fn fetched(url: &str, fetcher: &Fetcher, until: Instant) -> Result<Bytes, String> {
    let fetched = timeout_at(until, fetcher.fetch(url, &[Kind::Picture])).await;
    let outcome = match &fetched {
        Ok(fetched) => fetched.as_ref().map_or_else(|e| e.code().name(), |_| "fetched"),
        Err(_) => LATE,
    };
    metrics::counter!(FETCHES, "what" => "picture", "outcome" => outcome).increment(1);
    Ok(fetched.map_err(|_| LATE_BY.to_owned())?.map_err(|e| e.to_string())?.body)
}

/// Decodes the photograph in a file, in the sandbox.
///
/// # Errors
/// Why it is not a photograph, in a few words.
pub async fn of_file(file: Bytes, sandbox: &Sandbox) -> Result<Photo, String> {
    Ok(seen(PHOTO, file, sandbox, PHOTO_EDGE_PX).await?.ok_or_else(no_photograph)?.photo)
}

/// Returns why a picture is not a photograph.
pub(crate) fn no_photograph() -> String {
    let (width, height) = LEAST_PHOTO_PX;
    format!("it must be an opaque picture of at least {width} by {height} pixels")
}

/// Decodes the photograph in a file with a task of the sandbox.
async fn seen(task: Task, file: Bytes, sandbox: &Sandbox, edge: u32) -> Result<Option<Lead>, String> {
    let whole = task.name == PICTURE.name;
    let answer = sandbox.run(task.name, file, LIMITS).await.map_err(|e| {
        tracing::info!(task = task.name, error = %e, "reading a picture in the sandbox failed");
        match e {
            SandboxError::Refused(why) => why,
            _ => UNREADABLE.to_owned(),
        }
    })?;
    tokio::task::spawn_blocking(move || kept(&answer, edge, whole)).await.unwrap_or_else(|_| Err(UNREADABLE.to_owned()))
}

/// Encodes the answer of a child as the stored file, and reduces its pixels to a longer edge of `edge`. A drawing is
/// shown whole if `whole`.
fn kept(answer: &[u8], edge: u32, whole: bool) -> Result<Option<Lead>, String> {
    if answer.is_empty() {
        return Ok(None);
    }
    let broken = || UNREADABLE.to_owned();
    let pixels = Pixels::unpacked(answer, PHOTO_EDGE_PX).ok_or_else(broken)?;
    let photographed = is_photograph(&pixels);
    if whole && photographed && !is_large(&pixels) {
        return Ok(None);
    }
    let pixels = opaque(pixels);
    // Rendering waits for this file, and it is read more often than stored, so speed matters more than size.
    let file = Bytes::from(pixels.png(png::Compression::Fast).map_err(|_| broken())?);
    let (width, height) = (pixels.width, pixels.height);
    let pixels = pixels.reduced(edge);
    let image = Image::new(pixels.width, pixels.height, pixels.rgba).map_err(|_| broken())?;
    // The lead photograph of a page fills its frame, whatever it shows.
    let crop = if whole && !photographed { Crop::Whole } else { Crop::Cover };
    let photo = Photo { width, height, crop, ..Photo::of(BlobId::of(&file).to_string(), image) };
    Ok(Some(Lead { photo, file }))
}

/// Returns the warning for a page without its lead picture.
pub(crate) fn unavailable(why: &str) -> Warning {
    let message = format!("The lead picture of the page is not shown: {why}.");
    Warning::new(WarningCode::PhotoUnavailable, message)
}

/// Decodes a photograph, at most [`PHOTO_EDGE_PX`] long; nothing if the picture is not a photograph.
fn read(file: &[u8]) -> Result<Shown, String> {
    let kind = PictureKind::of(file).filter(|kind| *kind != PictureKind::Svg).ok_or("it is not a raster picture")?;
    let pixels = decoded(kind, file)?;
    let large = is_large(&pixels);
    let solid = pixels.rgba.chunks_exact(4).all(|p| p[3] == 255);
    Ok(Shown((large && solid).then(|| pixels.reduced(PHOTO_EDGE_PX))))
}

/// Decodes any picture that is large enough to be shown, at most [`PHOTO_EDGE_PX`] long.
fn any(file: &[u8]) -> Result<Shown, String> {
    let kind = PictureKind::of(file).filter(|kind| *kind != PictureKind::Svg).ok_or("it is not a raster picture")?;
    let pixels = decoded(kind, file)?;
    let (width, height) = LEAST_PICTURE_PX;
    let large = pixels.width >= width && pixels.height >= height;
    Ok(Shown(large.then(|| pixels.reduced(PHOTO_EDGE_PX))))
}

/// Returns whether a picture is large enough to fill a part of a page.
fn is_large(pixels: &Pixels) -> bool {
    let (width, height) = LEAST_PHOTO_PX;
    pixels.width >= width && pixels.height >= height
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;

    use fleet::net::{Guard, Parts, Resolver};

    use super::*;

    fn png(width: u32, height: u32, alpha: u8) -> Bytes {
        let pixel = |i: u32| [(i % 251) as u8, 90, 40, alpha];
        let pixels = Pixels { width, height, rgba: (0..width * height).flat_map(pixel).collect() };
        pixels.png(png::Compression::Fast).unwrap().into()
    }

    async fn read_in_a_child(file: Bytes) -> Result<Option<Lead>, String> {
        let answer = Sandbox::new(1).unwrap().run(PHOTO.name, file, LIMITS).await.map_err(|e| e.to_string())?;
        kept(&answer, PHOTO_EDGE_PX, false)
    }

    #[tokio::test]
    async fn a_photograph_is_reduced_and_named_by_its_file() {
        let lead = read_in_a_child(png(3000, 1500, 255)).await.unwrap().unwrap();
        assert_eq!((lead.photo.width, lead.photo.height), (PHOTO_EDGE_PX, PHOTO_EDGE_PX / 2));
        assert_eq!(lead.photo.key, BlobId::of(&lead.file).to_string());
        assert_eq!(crate::cache::image(&lead.file).unwrap().0.rgba(), lead.photo.pixels.unwrap().rgba());
    }

    /// A resolver that never answers.
    struct Lost;

    #[async_trait::async_trait]
    impl Resolver for Lost {
        async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
            std::future::pending().await
        }
    }

    #[tokio::test]
    async fn a_photograph_that_is_late_is_not_there() {
        let parts = Parts { resolver: Arc::new(Lost), ..Parts::of_the_system(Guard::default()) };
        let (fetcher, sandbox) = (Fetcher::new(parts), Sandbox::new(1).unwrap());
        let late = lead(
            LeadAt::Address("https://example.org/a.jpg"),
            &fetcher,
            &sandbox,
            Duration::from_millis(5),
            PHOTO_EDGE_PX,
        )
        .await;
        let late = late.unwrap_err();
        assert!(late.contains("too long"), "{late}");
        let warning = unavailable(&late);
        assert_eq!(warning.code, WarningCode::PhotoUnavailable);
        assert!(warning.message.contains(&late), "{}", warning.message);
    }

    #[tokio::test]
    async fn a_picture_that_is_no_photograph_is_seen_whole() {
        let flat = |width: u32, height: u32, alpha: u8| {
            let pixels = Pixels { width, height, rgba: [200, 30, 60, alpha].repeat((width * height) as usize) };
            Bytes::from(pixels.png(png::Compression::Fast).unwrap())
        };
        let read = async |file: Bytes| seen(PICTURE, file, &Sandbox::new(1).unwrap(), 256).await.unwrap();
        let lead = read(flat(400, 300, 120)).await.unwrap();
        assert_eq!((lead.photo.crop, lead.photo.width), (Crop::Whole, 400));
        assert!(crate::cache::image(&lead.file).unwrap().0.rgba().chunks_exact(4).all(|p| p[3] == 255));
        assert_eq!(read(png(900, 600, 255)).await.unwrap().photo.crop, Crop::Cover);
        // Too small to be shown, and too small for a photograph.
        assert!(read(flat(300, 100, 255)).await.is_none() && read(png(400, 300, 255)).await.is_none());
    }

    #[tokio::test]
    async fn what_is_small_or_see_through_is_no_photograph() {
        for file in [png(599, 400, 255), png(900, 300, 255), png(900, 600, 254)] {
            assert!(read_in_a_child(file).await.unwrap().is_none());
        }
        for file in [&b"<svg/>"[..], b"", b"\xff\xd8\xff\xe0 and no more", b"\x89PNG\r\n\x1a\n"] {
            assert!(!read_in_a_child(Bytes::from_static(file)).await.unwrap_err().is_empty());
        }
    }
}
