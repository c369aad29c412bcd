//! Reads what accounts upload for their brand kits, logos and fonts, in the sandbox. It shares the decoding of pictures
//! with the photographs of pages.

mod avif;
mod colour;
pub(crate) mod decode;
mod jpeg;
pub(crate) mod logo;
mod orientation;
pub(crate) mod pixels;
mod stored;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use fleet::import::{CheckedFont, ImportError, Importer, LogoPicture, SharedFamily};
use fleet::sandbox::{Limits, Sandbox, SandboxError};
use render_core::limits::FONT_BYTES;
use render_core::text::{FaceId, Family, Fonts, OwnFace};
use uuid::Uuid;

use crate::fonts::CHECK;

/// Files of one account that may be queued. A file may take its child's whole time limit, so clients would time out on
/// a longer queue.
const WAITING: usize = 8;
/// Accounts whose files may be processed at once; each has one, and the sandbox works on fewer.
const ACCOUNTS: usize = 64;

/// Reads uploads in child processes: the files of an account one after the other.
pub struct LocalImporter {
    sandbox: Sandbox,
    /// The permits of accounts; the sandbox limits how many children work at once.
    permits: FairSemaphore,
    fonts: Fonts,
}

impl LocalImporter {
    /// Returns an importer; `fonts` are the shared faces, which every account can use.
    pub fn new(sandbox: Sandbox, fonts: Fonts) -> Self {
        let permits = FairSemaphore::new(ACCOUNTS, AccountLimits { held: 1, waiting: WAITING });
        Self { sandbox, permits, fonts }
    }

    async fn run(
        &self,
        account: Uuid,
        task: &'static str,
        file: Bytes,
        limits: Limits,
    ) -> Result<Vec<u8>, ImportError> {
        self.sandbox.of_account(account).run(task, file, limits).await.map_err(|e| refusal(task, e))
    }
}

#[async_trait]
impl Importer for LocalImporter {
    async fn logo(&self, account: Uuid, file: Bytes) -> Result<LogoPicture, ImportError> {
        let _permit = self.permits.acquire(account).await?;
        let answer = self.run(account, logo::LOGO.name, file, logo::LIMITS).await?;
        let picture = tokio::task::spawn_blocking(move || logo::picture(&answer)).await;
        picture.unwrap_or_else(|e| Err(ImportError::Unavailable(e.to_string())))
    }

    async fn font(&self, account: Uuid, file: Bytes) -> Result<CheckedFont, ImportError> {
        let _permit = self.permits.acquire(account).await?;
        let limits = Limits { answer: FONT_BYTES, ..Limits::default() };
        let sfnt = Bytes::from(self.run(account, CHECK.name, file, limits).await?);
        let checked = tokio::task::spawn_blocking(move || {
            let face = OwnFace::new(sfnt.to_vec()).map_err(|e| ImportError::Refused(e.to_string()))?;
            Ok(CheckedFont { sfnt, family: face.family().to_owned(), weight: face.weight() })
        });
        checked.await.unwrap_or_else(|e| Err(ImportError::Unavailable(e.to_string())))
    }

    fn families(&self) -> Vec<SharedFamily> {
        let mut families: Vec<(Family, SharedFamily)> = Vec::new();
        for face in self.fonts.faces() {
            let (family, weight) = (self.fonts.family(face), self.fonts.weight(face));
            let built_in = !matches!(family, Family::Added(_));
            if built_in && !family.is_latin_text() {
                continue;
            }
            match families.iter_mut().find(|(f, _)| *f == family) {
                Some((_, known)) => known.weights.push(weight),
                None => {
                    let name = family.name().to_owned();
                    families.push((family, SharedFamily { name, weights: vec![weight], built_in }));
                }
            }
        }
        let sorted = families.into_iter().map(|(_, mut family)| {
            family.weights.sort_unstable();
            family
        });
        sorted.collect()
    }

    fn face(&self, family: &str, weight: u16) -> Option<Bytes> {
        let ours = |face: &FaceId| self.fonts.family(*face).name().eq_ignore_ascii_case(family);
        let nearest = self.fonts.faces().filter(ours).min_by_key(|face| self.fonts.weight(*face).abs_diff(weight))?;
        Some(Bytes::copy_from_slice(self.fonts.bytes(nearest)))
    }
}

/// Returns why a file isn't used, as a message to its sender. The cause of a crash stays in the log.
fn refusal(task: &str, error: SandboxError) -> ImportError {
    let refused = |why: &str| ImportError::Refused(why.to_owned());
    match error {
        SandboxError::Refused(why) => ImportError::Refused(why),
        SandboxError::Start(why) => ImportError::Unavailable(why),
        SandboxError::TimedOut => refused("reading it takes too long"),
        SandboxError::OutOfMemory | SandboxError::AnswerTooLarge => refused("reading it takes too much memory"),
        SandboxError::Forbidden | SandboxError::Crashed(_) => {
            tracing::warn!(task, %error, "the sandbox's child crashed on a file");
            refused("it is broken")
        }
    }
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
