//! Scheduled exports, which are logical copies of the state, in a folder that keeps a fixed number of them.
//!
//! Together with the journal they reproduce the state if the database can't be opened any more, and they let the
//! journal drop older segments. Each export holds everything but the blobs and images, including the secret that signs
//! URLs, so only the owner can read the folder and its files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::metrics;
use crate::state::{Exported, PARTIAL, StateError, Store};

/// Prefix and suffix of an export's file name. The start time stands between them.
const NAME: (&str, &str) = ("state-", ".vivid");
/// Format of that time, in UTC.
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// Pause after a failed export.
const PAUSE: Duration = Duration::from_secs(60);
/// Interval between checks of the journal's size.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// Minimum number of journal bytes outside of any export at which an export is due.
const UNEXPORTED_BYTES: u64 = 128 << 20;
/// The same limit as a multiple of the newest export's size, so that a large state is not exported for a few commits.
const UNEXPORTED_TIMES: u64 = 4;

/// Where to write exports, how often, and how many to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exports {
    /// The folder, which is created if it is missing.
    pub folder: PathBuf,
    /// Interval between exports; zero disables scheduled exports.
    pub every: Duration,
    /// Number of exports to keep. Older ones are removed.
    pub keep: usize,
}

impl Exports {
    /// Returns the folder of exports within a data folder.
    pub fn folder_in(data: &Path) -> PathBuf {
        data.join("exports")
    }

    /// Returns the exports in a folder, the newest first.
    pub fn files_in(folder: &Path) -> Vec<PathBuf> {
        there(folder).into_iter().map(|(file, _)| file).collect()
    }

    /// Writes exports when they are due, until `stop` is cancelled: after each interval, and whenever the journal has
    /// grown much since the last export, even if no interval is set. The schedule depends on the files in the folder,
    /// so a process that restarts often writes neither more nor fewer exports.
    pub async fn run(self, store: Store, stop: CancellationToken) {
        let mut newest = self.there().into_iter().next();
        if let Some((_, at)) = &newest {
            metrics::exported_at(*at);
        }
        loop {
            let looked = store.run(|store| Ok((store.journal_bytes()?, store.is_covered()?)));
            let due = match looked.await {
                Ok(((all, unexported), covered)) => {
                    metrics::journal_bytes(all);
                    let size =
                        newest.as_ref().and_then(|(file, _)| std::fs::metadata(file).ok()).map_or(0, |m| m.len());
                    !covered || unexported > UNEXPORTED_BYTES.max(UNEXPORTED_TIMES * size)
                }
                Err(_) => false,
            };
            let wait = if due { Duration::ZERO } else { self.due_in(Millis::now()).min(LOOK_EVERY) };
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(wait) => {}
            }
            if !due && !self.due_in(Millis::now()).is_zero() {
                continue;
            }
            let exports = self.clone();
            if let Err(e) = store.run(move |store| exports.take(store, Millis::now())).await {
                tracing::error!(error = %e, "export failed");
                let _ = tokio::time::timeout(PAUSE, stop.cancelled()).await;
            }
            newest = self.there().into_iter().next();
        }
    }

    /// Writes an export now and removes surplus ones. Blocks. Returns the file.
    ///
    /// # Errors
    /// Returns the errors of [`Store::export`].
    pub fn take(&self, store: &Store, now: Millis) -> Result<(PathBuf, Exported), StateError> {
        let taken = self.write(store, now);
        match &taken {
            Ok((file, exported)) => {
                metrics::exported(exported.took, exported.bytes);
                metrics::exported_at(now);
                let Exported { rows, bytes, took, paused, .. } = exported;
                tracing::info!(file = %file.display(), rows, bytes, ?took, ?paused, "state exported");
                self.prune();
            }
            Err(_) => metrics::export_failed(),
        }
        taken
    }

    fn write(&self, store: &Store, now: Millis) -> Result<(PathBuf, Exported), StateError> {
        let failed = |e: std::io::Error| StateError::Storage(format!("{}: {e}", self.folder.display()));
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(&self.folder).map_err(failed)?;
        let file = self.folder.join(name(now)?);
        let exported = store.export(&file, now)?;
        Ok((file, exported))
    }

    /// Returns the time until the next export, or [`Duration::MAX`] if no interval is set.
    fn due_in(&self, now: Millis) -> Duration {
        if self.every.is_zero() {
            return Duration::MAX;
        }
        let Some((_, newest)) = self.there().into_iter().next() else { return Duration::ZERO };
        // A negative age (the clock was set back) makes an export due at once.
        let age = Duration::from_millis(u64::try_from(now.0 - newest.0).unwrap_or(u64::MAX));
        self.every.saturating_sub(age)
    }

    fn there(&self) -> Vec<(PathBuf, Millis)> {
        there(&self.folder)
    }

    /// Removes surplus exports, and partial files that killed processes left.
    fn prune(&self) {
        let old = self.there().into_iter().skip(self.keep.max(1)).map(|(file, _)| file);
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|f| f.path());
        let cut_off = files.filter(|f| f.to_string_lossy().ends_with(&format!("{}{PARTIAL}", NAME.1)));
        for file in old.chain(cut_off) {
            if let Err(e) = std::fs::remove_file(&file) {
                tracing::warn!(error = %e, file = %file.display(), "removing an old export failed");
            }
        }
    }
}

/// Returns the exports in a folder, the newest first, with their start times.
fn there(folder: &Path) -> Vec<(PathBuf, Millis)> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut there: Vec<_> = files.flatten().filter_map(|f| Some((f.path(), time_of(&f.path())?))).collect();
    // An export from the future was written while the clock was ahead. Its age is unknown, so it counts as the oldest.
    let now = Millis::now();
    there.sort_by_key(|(_, at)| std::cmp::Reverse(if *at > now { Millis(0) } else { *at }));
    there
}

fn name(at: Millis) -> Result<String, StateError> {
    let time = jiff::Timestamp::from_millisecond(at.0).map_err(|e| StateError::Storage(e.to_string()))?;
    Ok(format!("{}{}{}", NAME.0, time.strftime(TIME), NAME.1))
}

fn time_of(file: &Path) -> Option<Millis> {
    let time = file.file_name()?.to_str()?.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    let time = jiff::civil::DateTime::strptime(TIME, time).ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(Millis(time.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::import;

    const NOON: Millis = Millis(1_795_348_800_000);

    fn names(exports: &Exports) -> Vec<String> {
        let name = |f: &PathBuf| f.file_name().unwrap().to_str().unwrap().to_owned();
        exports.there().iter().map(|(f, _)| name(f)).collect()
    }

    fn exports(folder: &Path) -> Exports {
        Exports { folder: folder.join("exports"), every: Duration::from_secs(3600), keep: 2 }
    }

    #[test]
    fn the_newest_stay() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("state")).unwrap();
        let exports = exports(folder.path());
        assert_eq!(exports.due_in(NOON), Duration::ZERO, "there is none yet");
        for hour in 0..4 {
            exports.take(&store, NOON.plus_seconds(hour * 3600)).unwrap();
            std::fs::write(exports.folder.join("state-x.vivid.partial"), b"cut off").unwrap();
            std::fs::write(exports.folder.join("notes.txt"), b"somebody's").unwrap();
        }
        exports.prune();
        assert_eq!(names(&exports), ["state-20261122T150000Z.vivid", "state-20261122T140000Z.vivid"]);
        assert_eq!(std::fs::read_dir(&exports.folder).unwrap().count(), 3, "what is nobody's copy stays");
        assert_eq!(exports.due_in(NOON.plus_seconds(3 * 3600 + 600)), Duration::from_secs(3000));
        assert_eq!(exports.due_in(NOON.plus_seconds(9 * 3600)), Duration::ZERO);
        assert_eq!(exports.due_in(NOON), Duration::ZERO, "the clock was set back");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&exports.folder).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }

    #[tokio::test]
    async fn the_first_falls_due_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("state")).unwrap();
        let (exports, stop) = (exports(folder.path()), CancellationToken::new());
        let running = tokio::spawn(exports.clone().run(store.clone(), stop.clone()));
        let file = loop {
            if let Some((file, _)) = exports.there().into_iter().next() {
                break file;
            }
            tokio::task::yield_now().await;
        };
        stop.cancel();
        running.await.unwrap();
        import(&folder.path().join("new"), &file).unwrap();
    }

    #[tokio::test]
    async fn none_are_written_where_none_are_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("state")).unwrap();
        let exports = Exports { every: Duration::ZERO, ..exports(folder.path()) };
        let stop = CancellationToken::new();
        stop.cancel();
        exports.clone().run(store, stop).await;
        assert!(!exports.folder.exists());
    }
}
