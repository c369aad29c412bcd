//! Detects prompts that a server truncated, by its token counts.

use parking_lot::Mutex;

/// Estimated tokens per counted token from which on the server is assumed to have dropped a part of the prompt.
const COUNTED: u64 = 4;
/// Prompts below this many estimated tokens fit every context.
const LONG: u64 = 6_000;

/// Whether a server truncates prompts.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// Whether a truncated prompt has been logged.
    told: Mutex<bool>,
}

impl Context {
    /// Logs once that a server counts far fewer tokens than the prompt has. Ollama, for example, silently drops what
    /// exceeds its context.
    pub fn note(&self, model: &str, counted: Option<u64>, estimated: u64) {
        let Some(counted) = counted.filter(|n| is_truncated(*n, estimated)) else { return };
        if !std::mem::replace(&mut *self.told.lock(), true) {
            tracing::warn!(
                model,
                counted,
                estimated,
                "the model server may have cut a prompt short: raise its context length"
            );
        }
    }
}

fn is_truncated(counted: u64, estimated: u64) -> bool {
    estimated > LONG && counted > 0 && counted * COUNTED < estimated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_that_were_cut_show_in_their_counts() {
        assert!(is_truncated(4_096, 20_000));
        assert!(!is_truncated(14_000, 20_000) && !is_truncated(300, 1_500) && !is_truncated(0, 20_000));
    }
}
