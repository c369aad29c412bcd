//! The pictures that a source shows beside the one that leads it: fetched under the same guard, unpacked by children of the
//! sandbox. One that can't be had costs a warning, and pages go without it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fleet::net::Fetcher;
use fleet::sandbox::Sandbox;
use futures::stream::{self, StreamExt as _};
use render_core::content::SourceImage;
use render_core::plan::Pictured;
use render_core::warning::{Warning, WarningCode};
use tokio::time::Instant;
use url::Url;

use super::photo::{Lead, picture};

/// How many are fetched at a time.
const FETCHES: usize = 4;
/// Bytes of the files of all of them together.
const BYTES: usize = 96 << 20;
/// The longer edge in pixels of pictures that pages are planned with.
const MEASURED_PX: u32 = 768;
/// Characters of an address that a warning names.
const NAMED: usize = 120;

/// The pictures of a source.
#[derive(Debug, Default)]
pub(crate) struct Gallery {
    /// Those that could be had, in the source's order.
    pub pictures: Vec<Pictured>,
    /// Their files, likewise.
    files: Vec<Bytes>,
    /// What is said of the others.
    pub warnings: Vec<Warning>,
}

impl Gallery {
    /// The file of the picture that is kept under this key.
    pub fn file(&self, key: &str) -> Option<&Bytes> {
        self.pictures.iter().position(|picture| picture.photo.key == key).and_then(|i| self.files.get(i))
    }
}

/// Where pictures are fetched from, and for how long.
pub(crate) struct Means<'a> {
    pub fetcher: &'a Fetcher,
    pub sandbox: &'a Sandbox,
    /// How long all of them together are waited for.
    pub patience: Duration,
}

/// Fetches the first `most` pictures of a source that lies at `base`, without the one that leads it.
pub(crate) async fn gallery(
    images: &[SourceImage],
    base: Option<&str>,
    lead: (Option<&str>, Option<&Lead>),
    most: usize,
    means: &Means<'_>,
) -> Gallery {
    let base = base.and_then(|base| Url::parse(base).ok());
    let (lead_url, lead) = lead;
    let wanted = images.iter().filter_map(|image| Some((image, address(&image.url, base.as_ref())?)));
    let wanted = wanted.filter(|(_, url)| lead_url.is_none_or(|lead| file_name(lead) != file_name(url)));
    let until = Instant::now() + means.patience;
    let taken = AtomicUsize::new(0);
    let fetched = wanted.take(most).map(|(image, url)| {
        let taken = &taken;
        async move {
            if taken.load(Ordering::Relaxed) >= BYTES {
                return (image, url, Err("the pictures before it take all the room that there is".to_owned()));
            }
            let left = until.saturating_duration_since(Instant::now());
            let found = picture(&url, means.fetcher, means.sandbox, left, MEASURED_PX).await;
            if let Ok(Some(found)) = &found {
                taken.fetch_add(found.file.len(), Ordering::Relaxed);
            }
            (image, url, found)
        }
    });
    let mut out = Gallery::default();
    let mut fetched = stream::iter(fetched.collect::<Vec<_>>()).buffered(FETCHES);
    while let Some((image, url, found)) = fetched.next().await {
        match found {
            Ok(Some(Lead { photo, file })) => {
                let known = lead.is_some_and(|lead| lead.photo.key == photo.key) || out.file(&photo.key).is_some();
                if !known {
                    out.pictures.push(Pictured { image: image.clone(), photo });
                    out.files.push(file);
                }
            }
            // One that is too small to be shown is none that a reader misses.
            Ok(None) => {}
            Err(why) => out.warnings.push(unavailable(&url, &why)),
        }
    }
    out
}

/// The absolute address of a picture.
fn address(written: &str, base: Option<&Url>) -> Option<String> {
    let url = base.map_or_else(|| Url::parse(written), |base| base.join(written)).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

/// What an address calls its file. Sites keep one picture in several sizes, at addresses that differ before its name and
/// behind it.
fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

fn unavailable(url: &str, why: &str) -> Warning {
    let mut named: String = url.chars().take(NAMED).collect();
    if named.len() < url.len() {
        named.push('…');
    }
    Warning::new(WarningCode::PhotoUnavailable, format!("The picture at {named} is not shown: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_the_source() {
        let base = Url::parse("https://pages.example/notes/tides.md").unwrap();
        let of = |written: &str| address(written, Some(&base));
        assert_eq!(of("mole.jpg").as_deref(), Some("https://pages.example/notes/mole.jpg"));
        assert_eq!(of("//cdn.example/a.png").as_deref(), Some("https://cdn.example/a.png"));
        assert_eq!(of("file:///etc/passwd"), None);
        assert_eq!(address("mole.jpg", None), None);
        assert_eq!(address("http://a.example/b", None).as_deref(), Some("http://a.example/b"));
    }

    #[test]
    fn one_picture_in_two_sizes_is_one() {
        assert_eq!(file_name("https://a.example/1200/mole.jpg?w=3"), file_name("https://a.example/600/mole.jpg"));
        assert_ne!(file_name("https://a.example/mole.jpg"), file_name("https://a.example/quay.jpg"));
    }

    #[test]
    fn a_warning_names_the_picture_and_the_reason() {
        let warning = unavailable(&format!("https://a.example/{}", "x".repeat(300)), "it takes too long to come");
        assert_eq!(warning.code, WarningCode::PhotoUnavailable);
        assert!(warning.message.ends_with("x… is not shown: it takes too long to come."), "{}", warning.message);
    }
}
