//! Reads the fields of a JSON body and collects all faults, so that one response reports every fault.

use render_core::warning::{Warning, WarningCode};
use serde_json::{Map, Value};

use super::error::{DETAILS, Detail};

/// The largest integer that every JSON parser represents exactly.
pub(crate) const INTEGER_MAX: u64 = (1 << 53) - 1;
/// A field by which other APIs choose who pays. Here the caller's account always pays. A request that names another
/// payer is rejected, because ignoring the field would spend the caller's credits unexpectedly.
pub(crate) const WORKSPACE: &str = "workspaceId";
/// Maximum number of unknown fields that produce warnings.
pub(crate) const UNKNOWN_FIELDS: usize = 20;

/// A body that is being read, with the faults and warnings found so far.
pub(crate) struct Form<'a> {
    body: &'a Map<String, Value>,
    faults: Vec<Detail>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Form<'a> {
    /// Starts reading a body.
    pub(crate) fn new(body: &'a Map<String, Value>) -> Self {
        Self { body, faults: Vec::new(), warnings: Vec::new() }
    }

    /// Returns the faults and the warnings.
    pub(crate) fn end(self) -> (Vec<Detail>, Vec<Warning>) {
        (self.faults, self.warnings)
    }

    pub(crate) fn fault(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) {
        // Faults beyond the limit are dropped.
        if self.faults.len() < DETAILS {
            self.faults.push(Detail::new(field, code, message));
        }
    }

    /// Reports a fault if the body names a workspace to charge.
    pub(crate) fn refuse_workspace(&mut self) {
        self.faults.extend(workspace_fault(self.body));
    }

    /// Returns the value of a field. `null` counts as absent.
    pub(crate) fn get(&self, field: &str) -> Option<&'a Value> {
        self.body.get(field).filter(|v| !v.is_null())
    }

    /// Whether a field is present and `null`.
    pub(crate) fn is_null(&self, field: &str) -> bool {
        self.body.get(field).is_some_and(Value::is_null)
    }

    pub(crate) fn string(&mut self, field: &'static str) -> Option<&'a str> {
        let value = self.get(field)?;
        if value.as_str().is_none() {
            self.fault(field, "invalid_value", format!("{field} must be a string."));
        }
        value.as_str()
    }

    /// Reads a required string.
    pub(crate) fn wanted(&mut self, field: &'static str) -> Option<&'a str> {
        if self.get(field).is_none() {
            self.fault(field, "missing_field", format!("Send {field}."));
            return None;
        }
        self.string(field)
    }

    /// Reads a single line of 1 to `most` characters, trimmed of surrounding spaces.
    pub(crate) fn line(&mut self, field: &'static str, most: usize) -> Option<&'a str> {
        let line = self.string(field)?.trim();
        let chars = line.chars().count();
        if chars == 0 || chars > most {
            self.fault(field, "invalid_value", format!("{field} must have 1 to {most} characters."));
        }
        if line.chars().any(char::is_control) {
            self.fault(field, "invalid_characters", format!("{field} contains a control character. Remove it."));
        }
        Some(line)
    }

    /// Reads an integer from 0 to `max`. `3.0` counts as an integer.
    pub(crate) fn integer(&mut self, field: &'static str, max: u64) -> Option<u64> {
        let value = self.get(field)?;
        let number = whole(value).filter(|n| (0..=max).contains(n));
        if number.is_none() {
            self.fault(field, "invalid_value", format!("{field} must be a whole number from 0 to {max}."));
        }
        number
    }

    /// Reads a boolean.
    pub(crate) fn boolean(&mut self, field: &'static str) -> Option<bool> {
        let value = self.get(field)?;
        if value.as_bool().is_none() {
            self.fault(field, "invalid_value", format!("{field} must be true or false."));
        }
        value.as_bool()
    }

    /// Reads a string and returns its position among `names`.
    pub(crate) fn one_of(&mut self, field: &'static str, names: &[&str]) -> Option<usize> {
        let value = self.string(field)?;
        let place = names.iter().position(|n| *n == value);
        if place.is_none() {
            self.fault(field, "invalid_value", format!("{field} must be one of {}.", names.join(", ")));
        }
        place
    }

    /// Reads the strings of an object, as pairs of name and string. `null` counts as absent.
    pub(crate) fn strings(&mut self, field: &'static str, names: &[&'static str]) -> Vec<(&'static str, &'a str)> {
        let Some(value) = self.get(field) else { return Vec::new() };
        let Some(object) = value.as_object() else {
            let message = format!("{field} must be an object of {}.", names.join(", "));
            self.fault(field, "invalid_value", message);
            return Vec::new();
        };
        self.warn_of_unknown(&format!("{field}."), object, names);
        let mut strings = Vec::new();
        for name in names {
            match object.get(*name) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) => strings.push((*name, text.as_str())),
                Some(_) => {
                    self.fault(format!("{field}.{name}"), "invalid_value", format!("{field}.{name} must be a string."));
                }
            }
        }
        strings
    }

    /// Reads a string of an object. `null` counts as absent.
    pub(crate) fn text<'v>(&mut self, at: &str, object: &'v Map<String, Value>, name: &str) -> Option<&'v str> {
        let value = object.get(name).filter(|value| !value.is_null())?;
        if value.as_str().is_none() {
            self.fault(format!("{at}.{name}"), "invalid_value", format!("{at}.{name} must be a string."));
        }
        value.as_str()
    }

    /// Warns of fields of `object` that are not in `known`. `within` is the path of the object.
    pub(crate) fn warn_of_unknown(&mut self, within: &str, object: &Map<String, Value>, known: &[&str]) {
        let unknown = object.keys().filter(|k| !known.contains(&k.as_str())).take(UNKNOWN_FIELDS);
        for field in unknown {
            let shown: String = within.chars().chain(field.chars()).take(60).collect();
            let near = nearest(field, known.iter().copied());
            let hint = near.map(|n| format!(" Did you mean {within}{n}?")).unwrap_or_default();
            let message = format!("The field {shown:?} is not known and was ignored.{hint}");
            self.warnings.push(Warning::new(WarningCode::UnknownField, message));
        }
    }
}

/// Returns the fault of a request that costs credits and names a workspace. `null` counts as absent.
pub(crate) fn workspace_fault(body: &Map<String, Value>) -> Option<Detail> {
    body.get(WORKSPACE).filter(|value| !value.is_null())?;
    let message = "workspaceId is not supported: requests use the credits of the API key's account. Remove it.";
    Some(Detail::new(WORKSPACE, "unsupported_field", message))
}

/// Reads an integer in any JSON spelling.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    let exact = |f: f64| (f.fract() == 0.0 && (0.0..=INTEGER_MAX as f64).contains(&f)).then_some(f as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(exact))
}

/// Returns the name that is most similar to `given`, if any is similar enough.
pub(crate) fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // A longer string matches no name, and the comparison takes time proportional to the length.
    let given = Some(given).filter(|g| g.len() <= 64)?.to_lowercase();
    names
        .map(|n| (n, strsim::jaro_winkler(&given, &n.to_lowercase())))
        .filter(|(_, like)| *like >= 0.8)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(n, _)| n)
}
