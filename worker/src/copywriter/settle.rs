//! What the pages say and in which language, with a language model and without, and when it fails.

use fleet::protocol::Failure;
use render_core::content::Document;
use render_core::format::FormatId;
use render_core::outline::{Locale, Outline};
use render_core::warning::{Warning, WarningCode};

use super::offline::{self, Wanted};
use super::{Cause, Copywriter, Look, Order, Written};

/// What is settled about the words.
#[derive(Debug, PartialEq)]
pub(crate) struct Settled {
    /// What the pages are set in.
    pub locale: Locale,
    /// What a model wrote, by format; the rest is outlined from the document.
    pub outlines: Vec<(FormatId, Outline)>,
    /// Whether those are a translation, which nothing else can stand in for.
    pub translated: bool,
    /// The look that a model chose for them.
    pub look: Option<Look>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// Settles the words of `order`, whose language is the one that `wanted` names.
///
/// # Errors
/// A [`Failure`] where a language model has a translation to write and gives none.
pub(crate) async fn settle(
    copywriter: Option<&Copywriter>,
    order: &Order<'_>,
    wanted: Wanted,
) -> Result<Settled, Failure> {
    let is_idea = order.idea.is_some();
    let Some(copywriter) = copywriter else {
        let why = "no language model writes here";
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
            "The language model gave no usable words for {}: {cause}. What stands there are the input's own.",
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
            let why = format!("the language model could not: {why}");
            Err(offline::untranslated(&own, &to.language, &why, retry))
        }
        // Not one format in one language and one in another.
        Wanted::Translation { to, sure: false, .. } => Ok(Settled { warnings, ..as_it_is(to) }),
    }
}

/// What an estimate tells where a language model would write: the input's own words, as `document` was read, and that they
/// will be others.
pub(crate) fn told(document: &Document, wanted: Wanted) -> Settled {
    let locale = match wanted {
        Wanted::Translation { sure: true, .. } => offline::locale(&document.language),
        wanted => wanted.locale().clone(),
    };
    let message = "A language model writes the words of the generation itself; these are the input's own.";
    Settled { warnings: vec![Warning::new(WarningCode::CopywriterUnavailable, message)], ..as_it_is(locale) }
}

/// Words that the client settled: nothing is written anew or translated.
pub(crate) fn given(outlines: Vec<(FormatId, Outline)>, wanted: Wanted) -> Settled {
    let mut settled = Settled { outlines, ..as_it_is(wanted.locale().clone()) };
    if let Wanted::Translation { to, own, sure: true } = &wanted {
        settled.warnings.push(offline::stays(own, &to.language, "an outline is set as it stands"));
    }
    settled
}

fn as_it_is(locale: Locale) -> Settled {
    Settled { locale, outlines: Vec::new(), translated: false, look: None, warnings: Vec::new() }
}

fn not_expanded(why: &str) -> Warning {
    let message = format!("The idea was set in type as it stands, because {why}.");
    Warning::new(WarningCode::CopyNotExpanded, message)
}
