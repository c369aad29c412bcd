//! The pictures that the client gives for pages, and those that a source shows besides its lead picture. The worker
//! fetches them under the same guard, and children of the sandbox decode them. For an unavailable picture the pages get
//! a warning instead.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fleet::illustrated::{GivenImage, ImagePlace, ImageSource};
use fleet::net::Fetcher;
use fleet::sandbox::Sandbox;
use futures::stream::{self, StreamExt as _};
use render_core::content::{Given, SourceImage};
use render_core::plan::Pictured;
use render_core::warning::{Warning, WarningCode};
use tokio::time::Instant;
use url::Url;

use super::photo::{LEAST_PICTURE_PX, Lead, picture, picture_of};

/// Concurrent fetches.
const FETCHES: usize = 4;
/// Bytes of all files together.
const BYTES: usize = 96 << 20;
/// The longer edge in pixels of the pictures that pages are planned with.
const MEASURED_PX: u32 = 768;
/// Characters of an address that a warning shows.
const NAMED: usize = 120;

/// The pictures for some pages.
#[derive(Debug, Default)]
pub(crate) struct Gallery {
    /// The available pictures: the client's, then the source's, in order.
    pub pictures: Vec<Pictured>,
    /// Their files, in the same order.
    files: Vec<Bytes>,
    /// Warnings about the others.
    pub warnings: Vec<Warning>,
}

impl Gallery {
    /// Adds a picture that was loaded, unless it is already there.
    fn take(&mut self, wanted: Wanted, found: Lead, lead: Option<&Lead>) {
        // The lead picture of the source is already on the cover, unless the client gives another one for it.
        let leads =
            lead.is_some_and(|lead| lead.photo.key == found.photo.key) && wanted.image.given != Some(Given::Cover);
        if !leads && self.file(&found.photo.key).is_none() {
            self.pictures.push(Pictured { image: wanted.image, photo: found.photo });
            self.files.push(found.file);
        }
    }

    /// Returns warnings for the client's pictures that no page shows; `shown` are the keys of those shown.
    pub fn unshown(&self, shown: &BTreeSet<&str>) -> Vec<Warning> {
        let given = self.pictures.iter().filter(|picture| picture.image.given.is_some());
        let missing = given.filter(|picture| !shown.contains(picture.photo.key.as_str()));
        missing.map(|picture| unavailable(&picture.image.url, "no page has room for it")).collect()
    }

    /// Returns the file of the picture with this key.
    pub fn file(&self, key: &str) -> Option<&Bytes> {
        self.pictures.iter().position(|picture| picture.photo.key == key).and_then(|i| self.files.get(i))
    }
}

/// How pictures are fetched, and for how long.
pub(crate) struct Means<'a> {
    pub fetcher: &'a Fetcher,
    pub sandbox: &'a Sandbox,
    /// Timeout of all pictures together.
    pub patience: Duration,
}

/// A picture to load.
struct Wanted {
    image: SourceImage,
    /// Its file; `None` if it is at the image's address.
    file: Option<Bytes>,
}

impl Wanted {
    /// Returns the client's `n`th picture, from 0.
    fn given(n: usize, image: &GivenImage) -> Self {
        let (url, file) = match &image.source {
            ImageSource::Url(url) => (url.clone(), None),
            ImageSource::File(file) => (format!("images[{n}]"), Some(file.clone())),
        };
        let place = match image.place {
            ImagePlace::Cover => Given::Cover,
            ImagePlace::Any => Given::Any,
        };
        Self { image: SourceImage::given(url, image.alt.clone(), place), file }
    }

    /// Loads the picture before `until`.
    async fn had(&self, until: Instant, means: &Means<'_>) -> Result<Option<Lead>, String> {
        let left = until.saturating_duration_since(Instant::now());
        match &self.file {
            Some(file) => picture_of(file.clone(), means.sandbox, left, MEASURED_PX).await,
            None => picture(&self.image.url, means.fetcher, means.sandbox, left, MEASURED_PX).await,
        }
    }
}

/// Fetches the client's pictures and the first `most` of a source at `base`, except its lead picture.
pub(crate) async fn gallery(
    given: &[GivenImage],
    images: &[SourceImage],
    base: Option<&str>,
    lead: (Option<&str>, Option<&Lead>),
    most: usize,
    means: &Means<'_>,
) -> Gallery {
    let base = base.and_then(|base| Url::parse(base).ok());
    let (lead_url, lead) = lead;
    let own = images.iter().filter_map(|image| {
        let url = address(&image.url, base.as_ref())?;
        let image = SourceImage { url, ..image.clone() };
        Some(Wanted { image, file: None })
    });
    let own = own.filter(|wanted| lead_url.is_none_or(|lead| file_name(lead) != file_name(&wanted.image.url)));
    let wanted = given.iter().enumerate().map(|(n, image)| Wanted::given(n, image)).chain(own.take(most));
    let until = Instant::now() + means.patience;
    let taken = AtomicUsize::new(0);
    let fetched = wanted.map(|wanted| {
        let taken = &taken;
        async move {
            if taken.load(Ordering::Relaxed) >= BYTES {
                return (wanted, Err("the pictures before it use up the size limit".to_owned()));
            }
            let found = wanted.had(until, means).await;
            if let Ok(Some(found)) = &found {
                taken.fetch_add(found.file.len(), Ordering::Relaxed);
            }
            (wanted, found)
        }
    });
    let mut out = Gallery::default();
    let mut fetched = stream::iter(fetched.collect::<Vec<_>>()).buffered(FETCHES);
    while let Some((wanted, found)) = fetched.next().await {
        match found {
            Ok(Some(found)) => out.take(wanted, found, lead),
            // A picture of the source that is too small is skipped silently: readers don't miss it.
            Ok(None) if wanted.image.given.is_none() => {}
            Ok(None) => {
                let (width, height) = LEAST_PICTURE_PX;
                let why = format!("it is too small; a picture needs at least {width} by {height} pixels");
                out.warnings.push(unavailable(&wanted.image.url, &why));
            }
            Err(why) => out.warnings.push(unavailable(&wanted.image.url, &why)),
        }
    }
    out
}

/// Returns the absolute address of a picture.
fn address(written: &str, base: Option<&Url>) -> Option<String> {
    let url = base.map_or_else(|| Url::parse(written), |base| base.join(written)).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

/// Returns the file name in an address. Sites offer one picture in several sizes, at addresses that differ before and
/// after its name.
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
