//! Settles what the pages say and in which language: with a language model, without one, and when it fails.

use fleet::protocol::Failure;
use render_core::content::Document;
use render_core::format::FormatId;
use render_core::outline::{Locale, Outline};
use render_core::warning::{Warning, WarningCode};

use super::look::Look;
use super::offline::{self, Wanted};
use super::order::Order;
use super::writer::Copywriter;
use super::written::{Cause, Written};

/// The settled words of the pages.
#[derive(Debug, PartialEq)]
pub(crate) struct Settled {
    /// The locale of the pages.
    pub locale: Locale,
    /// The outlines that a model wrote or the client sent, by format; other formats are outlined from the document.
    pub outlines: Vec<(FormatId, Outline)>,
    /// Whether the outlines are a translation, which has no fallback.
    pub translated: bool,
    /// The look that a model chose for them.
    pub look: Option<Look>,
    /// Warnings for the reader.
    pub warnings: Vec<Warning>,
}

/// Settles the words of `order`, whose language is the one of `wanted`.
///
/// # Errors
/// A [`Failure`] if a translation is required and the language model gives none.
pub(crate) async fn settle(
    copywriter: Option<&Copywriter>,
    order: &Order<'_>,
    wanted: Wanted,
) -> Result<Settled, Failure> {
    let is_idea = order.idea.is_some();
    let Some(copywriter) = copywriter else {
        let why = "no language model is configured";
        let mut settled = as_it_is(wanted.locale().clone());
        if let Wanted::Translation { to, own, sure: true } = &wanted {
            settled.warnings.push(offline::stays(own, &to.language, why));
        }
        settled.warnings.extend(is_idea.then(|| not_expanded(why)));
        return Ok(settled);
    };
    let Written { outlines, missing, look } = copywriter.write(order).await;
    let mut warnings: Vec<Warning> = Vec::new();
    if let Some((_, cause)) = missing.first() {
        let formats: Vec<String> = missing.iter().map(|(format, _)| format.to_string()).collect();
        let message = format!(
            "The language model gave no usable words for {}: {cause}. The pages use the input's own words.",
            formats.join(", ")
        );
        warnings.push(Warning::new(WarningCode::CopywriterUnavailable, message));
        warnings.extend(is_idea.then(|| not_expanded("the language model gave no usable words")));
    }
    match wanted {
        Wanted::Own(locale) => Ok(Settled { locale, outlines, translated: false, look, warnings }),
        Wanted::Translation { to, .. } if missing.is_empty() => {
            Ok(Settled { locale: to, outlines, translated: true, look, warnings })
        }
        Wanted::Translation { to, own, sure: true } => {
            let why = missing.first().map_or_else(String::new, |(_, cause)| cause.to_string());
            let retry = missing.iter().all(|(_, cause)| matches!(cause, Cause::Silent(e) if e.may_pass()));
            let why = format!("the language model failed: {why}");
            Err(offline::untranslated(&own, &to.language, &why, retry))
        }
        // Otherwise some formats would be in one language and some in another.
        Wanted::Translation { to, sure: false, .. } => Ok(Settled { warnings, ..as_it_is(to) }),
    }
}

/// Returns the words of an estimate if a language model would write: the input's own words, in the language that
/// `document` was read in, with a warning that the generation will have other words.
pub(crate) fn estimated(document: &Document, wanted: Wanted) -> Settled {
    let locale = match wanted {
        Wanted::Translation { sure: true, .. } => offline::locale(&document.language),
        wanted => wanted.locale().clone(),
    };
    let message = "A language model will write the words of the generation; these are the input's own.";
    Settled { warnings: vec![Warning::new(WarningCode::CopywriterUnavailable, message)], ..as_it_is(locale) }
}

/// Returns the words that the client settled; nothing is rewritten or translated.
pub(crate) fn given(outlines: Vec<(FormatId, Outline)>, wanted: Wanted) -> Settled {
    let mut settled = Settled { outlines, ..as_it_is(wanted.locale().clone()) };
    if let Wanted::Translation { to, own, sure: true } = &wanted {
        settled.warnings.push(offline::stays(own, &to.language, "an outline's words are used unchanged"));
    }
    settled
}

fn as_it_is(locale: Locale) -> Settled {
    Settled { locale, outlines: Vec::new(), translated: false, look: None, warnings: Vec::new() }
}

fn not_expanded(why: &str) -> Warning {
    let message = format!("The idea's own words were used unchanged, because {why}.");
    Warning::new(WarningCode::CopyNotExpanded, message)
}
