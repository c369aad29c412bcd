//! What the pages say and in which language, with a language model and without, and when it fails.

use fleet::protocol::Failure;
use render_core::content::Language;
use render_core::format::FormatId;
use render_core::outline::{Locale, Outline};
use render_core::warning::{Warning, WarningCode};

use super::offline::{self, Wanted};
use super::{Cause, Copywriter, Order, Written};

/// What is settled about the words.
#[derive(Debug, PartialEq)]
pub(crate) struct Settled {
    /// What the pages are set in.
    pub locale: Locale,
    /// What a model wrote, by format; the rest is outlined from the document.
    pub outlines: Vec<(FormatId, Outline)>,
    /// Whether those are a translation, which nothing else can stand in for.
    pub translated: bool,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// Settles the words of `order`, whose language is the one that `wanted` names.
///
/// # Errors
/// A [`Failure`] where a translation is wanted and can't be had.
pub(crate) async fn settle(
    copywriter: Option<&Copywriter>,
    order: &Order<'_>,
    wanted: Wanted,
) -> Result<Settled, Failure> {
    let is_idea = order.idea.is_some();
    let Some(copywriter) = copywriter else {
        let why = "no language model is configured";
        let mut settled = match wanted {
            Wanted::Own(locale) => as_it_is(locale),
            Wanted::Translation { to, own, sure: true } => {
                return Err(offline::untranslated(&own.language, &to, why, false));
            }
            Wanted::Translation { to, own, sure: false } => unsure(own, &to),
        };
        settled.warnings.extend(is_idea.then(|| not_expanded(why)));
        return Ok(settled);
    };
    let Written { outlines, missing } = copywriter.write(order).await;
    let mut warnings: Vec<Warning> = Vec::new();
    if let Some((_, cause)) = missing.first() {
        let formats: Vec<String> = missing.iter().map(|(format, _)| format.to_string()).collect();
        let message = format!(
            "The language model gave no usable words for {}: {cause}. What stands there are the input's own.",
            formats.join(", ")
        );
        warnings.push(Warning::new(WarningCode::CopywriterUnavailable, message));
        warnings.extend(is_idea.then(|| not_expanded("the language model gave no usable words")));
    }
    match wanted {
        Wanted::Own(locale) => Ok(Settled { locale, outlines, translated: false, warnings }),
        Wanted::Translation { to, .. } if missing.is_empty() => {
            Ok(Settled { locale: offline::locale(&to), outlines, translated: true, warnings })
        }
        Wanted::Translation { to, own, sure: true } => {
            let why = missing.first().map_or_else(String::new, |(_, cause)| cause.to_string());
            let retry = missing.iter().all(|(_, cause)| matches!(cause, Cause::Silent(e) if e.may_pass()));
            Err(offline::untranslated(&own.language, &to, &format!("the language model could not: {why}"), retry))
        }
        // Not one format in one language and one in another.
        Wanted::Translation { to, own, sure: false } => {
            let mut settled = unsure(own, &to);
            settled.warnings.extend(warnings);
            Ok(settled)
        }
    }
}

/// What an estimate tells where a language model would write: the input's own words, and that they will be others.
pub(crate) fn told(wanted: Wanted) -> Settled {
    let (Wanted::Own(own) | Wanted::Translation { own, .. }) = wanted;
    let message = "A language model writes the words of the generation itself; these are the input's own.";
    Settled { warnings: vec![Warning::new(WarningCode::CopywriterUnavailable, message)], ..as_it_is(own) }
}

fn as_it_is(locale: Locale) -> Settled {
    Settled { locale, outlines: Vec::new(), translated: false, warnings: Vec::new() }
}

fn unsure(own: Locale, to: &Language) -> Settled {
    let warning = offline::stays(&own.language, to);
    Settled { warnings: vec![warning], ..as_it_is(own) }
}

fn not_expanded(why: &str) -> Warning {
    let message = format!("The idea was set in type as it stands, because {why}.");
    Warning::new(WarningCode::CopyNotExpanded, message)
}
