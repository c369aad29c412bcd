//! Filters for lists of generations.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::Tables;
use crate::state::error::StateError;
use crate::state::rows::generations::Generation;
use crate::state::rows::given::InputType;
use crate::state::search::page_words;
use crate::state::status::Status;

/// A filter for lists of generations. All conditions that are set must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The status.
    pub status: Option<Status>,
    /// The form of the content.
    pub input_type: Option<InputType>,
    /// The brand kit.
    pub brand: Option<Uuid>,
    /// Accepted at this time or later.
    pub created_after: Option<Millis>,
    /// Accepted before this time.
    pub created_before: Option<Millis>,
    /// Words of the title, of the excerpt or of a page, ignoring case.
    pub query: Option<String>,
}

impl Filter {
    /// Returns whether a generation matches. Reads its page texts only if its titles and excerpt lack the query.
    pub(in crate::state) fn holds(&self, g: &Generation, tables: &Tables) -> Result<bool, StateError> {
        if !self.holds_apart_from_words(g) {
            return Ok(false);
        }
        let Some(q) = self.query.as_ref().map(|q| q.to_lowercase()) else { return Ok(true) };
        let mut own = g.titles().chain([g.request.excerpt.as_str()]);
        Ok(own.any(|text| text.to_lowercase().contains(&q))
            || page_words::shown(tables, g.id)?.iter().any(|text| text.contains(&q)))
    }

    fn holds_apart_from_words(&self, g: &Generation) -> bool {
        self.status.is_none_or(|s| s == g.status)
            && self.input_type.is_none_or(|t| t == g.request.given.input_type())
            && self.brand.is_none_or(|b| Some(b) == g.request.brand)
            && self.created_after.is_none_or(|t| g.created >= t)
            && self.created_before.is_none_or(|t| g.created < t)
    }
}
