//! Which devices a process renders on.

use std::str::FromStr;

use render_core::raster::Rasteriser;
use render_core::raster::gpu::{Adapter, AdapterKind, Selector, adapters, open};

use super::devices::Open;

/// The operator's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Every graphics card; the CPU if there is none.
    Auto,
    /// The CPU alone.
    Cpu,
    /// These devices and no others.
    These(Vec<Selector>),
}

/// A requested device that is missing or can't be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("device {asked:?}: {reason}; available devices: {}", listed(.known))]
pub struct ChoiceError {
    asked: String,
    reason: String,
    known: Vec<String>,
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

impl FromStr for Choice {
    type Err = std::convert::Infallible;

    /// Parses `auto`, `cpu`, or devices by number or by a part of their name, separated by commas.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Ok(match s.trim().to_ascii_lowercase().as_str() {
            "" | "auto" => Self::Auto,
            "cpu" => Self::Cpu,
            _ => Self::These(
                s.split(',').map(|part| part.trim().parse().unwrap_or_else(|never| match never {})).collect(),
            ),
        })
    }
}

/// A device: its name, its rasteriser, and how to reopen it.
pub(super) type Opened = (String, Box<dyn Rasteriser>, Open);

impl Choice {
    /// Opens the chosen devices. [`Choice::Auto`] skips a card that can't be opened.
    ///
    /// # Errors
    /// [`ChoiceError`] if a requested device does not exist or can't be opened.
    pub(super) fn open(&self) -> Result<Vec<Opened>, ChoiceError> {
        match self {
            Self::Cpu => Ok(Vec::new()),
            Self::Auto => {
                let cards = adapters().into_iter().filter(|a| a.kind != AdapterKind::Software);
                let opened = cards.filter_map(|card| {
                    let selector = Selector::Index(card.index);
                    opened(&selector)
                        .inspect_err(|reason| tracing::warn!(device = name(&card), reason, "device skipped"))
                        .ok()
                });
                Ok(opened.collect())
            }
            Self::These(selectors) => selectors
                .iter()
                .map(|selector| {
                    opened(selector).map_err(|reason| ChoiceError {
                        asked: selector.to_string(),
                        reason,
                        known: adapters().iter().map(name).collect(),
                    })
                })
                .collect(),
        }
    }
}

fn opened(selector: &Selector) -> Result<Opened, String> {
    let gpu = open(selector.clone()).map_err(|e| e.to_string())?;
    let adapter = gpu.adapter();
    let again = Selector::Index(adapter.index);
    let reopen: Open = Box::new(move || match open(again.clone()) {
        Ok(gpu) => Ok(Box::new(gpu)),
        Err(error) => Err(error.to_string()),
    });
    Ok((name(adapter), Box::new(gpu), reopen))
}

/// Returns the name of a device in logs and metrics.
fn name(adapter: &Adapter) -> String {
    format!("{}: {} ({})", adapter.index, adapter.name, adapter.backend)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(s: &str) -> Choice {
        s.parse().unwrap()
    }

    #[test]
    fn names_and_numbers_are_told_apart() {
        assert_eq!((choice(""), choice("AUTO"), choice(" cpu")), (Choice::Auto, Choice::Auto, Choice::Cpu));
        let these = vec![Selector::Index(0), Selector::Name("RTX 4090".into())];
        assert_eq!(choice("0, RTX 4090"), Choice::These(these));
    }

    #[test]
    fn the_cpu_alone_needs_no_driver() {
        assert!(Choice::Cpu.open().is_ok_and(|none| none.is_empty()));
    }

    #[test]
    fn a_device_that_is_not_there_is_named_with_those_that_are() {
        let error = choice("no such card").open().map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("device \"no such card\": ") && error.contains("; available devices: "), "{error}");
    }
}
