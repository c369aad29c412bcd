//! The operator's own faces: the font files of a folder, each checked in the sandbox before this process reads it.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use fleet::sandbox::{Limits, Sandbox, SandboxError, Task};
use futures::StreamExt;
use render_core::limits::FONT_BYTES;
use render_core::text::{AddError, Fonts, check_font};

/// Checks a font file and returns it as a plain (uncompressed) font file.
pub(crate) const CHECK: Task = Task { name: "font", run: |bytes| check_font(bytes).map_err(|e| e.to_string()) };

/// The file name extensions of font files.
const ENDINGS: [&str; 5] = ["ttf", "otf", "ttc", "woff", "woff2"];
/// Files that are checked concurrently.
const AT_ONCE: usize = 2;

/// Why a file isn't used.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    /// The file can't be read.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    /// The file is larger than the limit.
    #[error("it is larger than {} MiB", FONT_BYTES >> 20)]
    TooLarge,
    /// The check refused the file, or crashed on it.
    #[error(transparent)]
    Unfit(#[from] SandboxError),
    /// The face is not needed.
    #[error(transparent)]
    Unused(#[from] AddError),
}

/// Adds every font file of `folder` to `fonts`, in the order of their names, and returns how many. A file that can't be
/// used is logged with the reason and skipped.
///
/// # Errors
/// The folder can't be read.
pub async fn add_all(folder: &Path, fonts: &Fonts, sandbox: &Sandbox) -> std::io::Result<usize> {
    let files = font_files(folder).await?;
    let checked = files.iter().map(|file| async move { (file, checked(file, sandbox).await) });
    let mut checked = futures::stream::iter(checked).buffered(AT_ONCE);
    let mut count = 0;
    while let Some((file, sfnt)) = checked.next().await {
        match sfnt.and_then(|sfnt| Ok(fonts.add(sfnt)?)) {
            Ok(face) => {
                count += 1;
                let (family, weight) = (fonts.family(face).name(), fonts.weight(face));
                tracing::info!(file = %file.display(), family, weight, "added a face");
            }
            Err(error) => tracing::warn!(file = %file.display(), %error, "skipped a font file"),
        }
    }
    Ok(count)
}

/// Returns the font files of a folder, sorted, so that every start yields the same faces.
async fn font_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries = tokio::fs::read_dir(folder).await?;
    let mut files = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        let path = entry.path();
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
        if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

async fn checked(file: &Path, sandbox: &Sandbox) -> Result<Vec<u8>, FontError> {
    if tokio::fs::metadata(file).await?.len() > FONT_BYTES as u64 {
        return Err(FontError::TooLarge);
    }
    let bytes = Bytes::from(tokio::fs::read(file).await?);
    Ok(sandbox.run(CHECK.name, bytes, Limits { answer: FONT_BYTES, ..Limits::default() }).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sandbox() -> Sandbox {
        Sandbox::new(AT_ONCE).unwrap()
    }

    const CHEROKEE: &[u8] = include_bytes!("../../tests/data/fonts/noto-sans-cherokee-400.ttf");

    #[tokio::test]
    async fn the_good_ones_of_a_folder_are_added_and_the_others_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        put("a.TTF", CHEROKEE);
        put("b.woff2", include_bytes!("../../tests/data/fonts/noto-sans-cherokee-700.woff2"));
        put("c.otf", include_bytes!("../../tests/data/fonts/noto-sans-tifinagh-400.otf"));
        put("d.ttf", &CHEROKEE[..CHEROKEE.len() / 2]);
        put("e.ttf", b"no font");
        put("f.ttf", CHEROKEE);
        put("licence.txt", b"whose they are");
        std::fs::create_dir(folder.path().join("more.ttf")).unwrap();
        let fonts = Fonts::new();
        let vendored = fonts.faces().count();
        assert_eq!(add_all(folder.path(), &fonts, &sandbox()).await.unwrap(), 3);
        let added: Vec<_> =
            fonts.faces().skip(vendored).map(|face| (fonts.family(face).name(), fonts.weight(face))).collect();
        assert_eq!(added, [("Noto Sans Cherokee", 400), ("Noto Sans Cherokee", 700), ("Noto Sans Tifinagh", 400)]);
    }

    #[tokio::test]
    async fn a_folder_that_is_not_there_is_said() {
        assert!(add_all(Path::new("/nowhere/fonts"), &Fonts::new(), &sandbox()).await.is_err());
    }

    #[tokio::test]
    async fn the_reason_comes_back_from_the_sandbox() {
        let run = |bytes: &'static [u8]| async move {
            sandbox().run(CHECK.name, Bytes::from_static(bytes), Limits::default()).await
        };
        assert_eq!(run(CHEROKEE).await.unwrap(), CHEROKEE);
        let refused = run(b"ttcf, they say").await.unwrap_err().to_string();
        assert!(refused.contains("collection"), "{refused}");
    }
}
