//! Parses the body of a brand kit and reports all of its faults at once.

use render_core::design::STYLE_NAMES;
use render_core::scene::Color;
use render_core::warning::{Warning, WarningCode};
use serde_json::{Map, Value};

use super::fonts::{Offered, found};
use crate::http::error::ApiError;
use crate::http::form::{Form, nearest};
use crate::state::{KitColors, KitContent, LogoVariant};

/// Maximum lengths of a kit's texts in characters.
const NAME_CHARS: usize = 100;
const TONE_CHARS: usize = 300;
const HANDLE_CHARS: usize = 60;
const URL_CHARS: usize = 200;

/// All fields of a brand kit.
pub(super) const FIELDS: [&str; 14] = [
    "name",
    "isDefault",
    "colors",
    "fonts",
    "tone",
    "handle",
    "url",
    "visualStyle",
    "footer",
    "id",
    "logoUrl",
    "logoDarkUrl",
    "createdAt",
    "updatedAt",
];
/// The logo URL fields. Logos themselves are uploaded separately.
const LOGOS: [(&str, LogoVariant); 2] = [("logoUrl", LogoVariant::Light), ("logoDarkUrl", LogoVariant::Dark)];
/// The nested colour and font fields.
pub(super) const COLORS: [&str; 5] = ["primary", "secondary", "accent", "background", "text"];
pub(super) const FONTS: [&str; 2] = ["heading", "body"];

/// A parsed body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    pub content: KitContent,
    /// Whether the kit becomes the account's default.
    pub default: bool,
    /// Logos to remove, because the body sends `null` for their URLs.
    pub without: Vec<LogoVariant>,
    /// Logos that the body names by URL. These fields can't set a logo.
    pub named: Vec<(&'static str, LogoVariant)>,
    pub warnings: Vec<Warning>,
}

impl Written {
    /// Returns the warnings, given which logos the kit has.
    pub fn warnings(mut self, has: impl Fn(LogoVariant) -> bool) -> Vec<Warning> {
        for (field, variant) in self.named {
            // A client that sends a kit back as it was read sends the URLs of the kit's own logos, which needs no
            // warning.
            if !has(variant) {
                let message = format!(
                    "{field} was ignored. To set a logo, send the picture as the body of PUT /api/brands/:id/logo?variant={}.",
                    name_of(variant)
                );
                self.warnings.push(Warning::new(WarningCode::UnknownField, message));
            }
        }
        self.warnings
    }
}

/// The variant's name in a query.
pub(super) fn name_of(variant: LogoVariant) -> &'static str {
    match variant {
        LogoVariant::Light => "light",
        LogoVariant::Dark => "dark",
    }
}

/// Parses a body. `offered` lists the families that the account can use; with `None`, any name is accepted.
///
/// # Errors
/// [`ApiError::Invalid`] lists every fault.
pub(super) fn read(body: &Map<String, Value>, offered: Option<&[Offered]>) -> Result<Written, ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &FIELDS);
    if form.get("name").is_none() {
        form.fault("name", "missing_field", "Send the brand's name in name.");
    }
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let name = form.line("name", NAME_CHARS).unwrap_or_default().to_owned();
    let colors = form.colors();
    let [heading, body_family] = form.families(offered);
    let tone = owned(form.line("tone", TONE_CHARS));
    let handle = owned(form.line("handle", HANDLE_CHARS));
    if handle.as_ref().is_some_and(|h| h.contains(char::is_whitespace)) {
        form.fault("handle", "invalid_value", "handle must be a single word, such as @acme.");
    }
    let url = owned(form.line("url", URL_CHARS));
    if url.as_ref().is_some_and(|url| !is_address(url)) {
        form.fault(
            "url",
            "invalid_value",
            "url must be a website address, such as acme.example or https://acme.example.",
        );
    }
    let style = form.one_of("visualStyle", &STYLE_NAMES).map(|i| STYLE_NAMES[i].to_owned());
    let footer = form.boolean("footer");
    let default = form.boolean("isDefault").unwrap_or(false);
    let without = LOGOS.iter().filter(|(field, _)| form.is_null(field)).map(|(_, variant)| *variant).collect();
    let named = LOGOS.into_iter().filter(|(field, _)| form.get(field).is_some()).collect();
    let (faults, warnings) = form.end();
    if !faults.is_empty() {
        return Err(ApiError::Invalid(faults));
    }
    let content = KitContent { name, colors, heading, body: body_family, tone, handle, url, style, footer };
    Ok(Written { content, default, without, named, warnings })
}

impl Form<'_> {
    fn colors(&mut self) -> KitColors {
        let mut colors = KitColors::default();
        for (name, text) in self.strings("colors", &COLORS) {
            let Some(color) = Color::parse(text) else {
                let message = format!("colors.{name} must be a colour such as #1a2b3c.");
                self.fault(format!("colors.{name}"), "invalid_value", message);
                continue;
            };
            let [r, g, b, _] = color.to_rgba8();
            *match name {
                "primary" => &mut colors.primary,
                "secondary" => &mut colors.secondary,
                "accent" => &mut colors.accent,
                "background" => &mut colors.background,
                _ => &mut colors.text,
            } = Some([r, g, b]);
        }
        colors
    }

    /// Reads the heading and body families, and returns their names as they are offered.
    fn families(&mut self, offered: Option<&[Offered]>) -> [Option<String>; 2] {
        let mut families = [None, None];
        for (name, text) in self.strings("fonts", &FONTS) {
            let at = usize::from(name == "body");
            let Some(offered) = offered else {
                families[at] = Some(text.to_owned());
                continue;
            };
            match found(offered, text) {
                Some(family) => families[at] = Some(family.family.clone()),
                None => {
                    let shown: String = text.chars().take(60).collect();
                    let near = nearest(text, offered.iter().map(|o| o.family.as_str()));
                    let hint = near.map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
                    let message = format!("There is no font {shown:?}; GET /api/fonts lists the available ones.{hint}");
                    self.fault(format!("fonts.{name}"), "invalid_value", message);
                }
            }
        }
        families
    }
}

/// Whether this is a website address, with or without scheme. The service displays it and never fetches it.
fn is_address(url: &str) -> bool {
    let rest = without_scheme(url);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let labels = || host.split('.');
    let label = |l: &str| !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '-');
    !rest.contains(char::is_whitespace) && labels().count() >= 2 && labels().all(label)
}

/// Strips `http://` or `https://` from an address.
pub(super) fn without_scheme(url: &str) -> &str {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|s| url.get(..s.len()).is_some_and(|start| start.eq_ignore_ascii_case(s)));
    &url[scheme.map_or(0, str::len)..]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::fonts::Source;

    fn offered() -> Vec<Offered> {
        let offer = |family: &str, source| Offered { family: family.into(), weights: vec![400], source, expires: None };
        vec![offer("Manrope", Source::BuiltIn), offer("Acme Sans", Source::Account)]
    }

    fn kit(body: &Value) -> Result<Written, Vec<(String, &'static str)>> {
        read(body.as_object().unwrap(), Some(&offered())).map_err(|e| match e {
            ApiError::Invalid(details) => details.into_iter().map(|d| (d.field, d.code)).collect(),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn all_that_a_kit_can_say_is_read() {
        let written = kit(&json!({
            "name": " Acme ", "isDefault": true,
            "colors": {"primary": "#0A5f38", "secondary": null, "accent": "#ffffff"},
            "fonts": {"heading": "acme sans", "body": "Manrope"},
            "tone": "warm", "handle": "@acme", "url": "https://Acme.example/x", "visualStyle": "bold", "footer": false,
        }))
        .unwrap();
        let colors = KitColors { primary: Some([10, 95, 56]), accent: Some([255; 3]), ..KitColors::default() };
        let content = KitContent {
            name: "Acme".into(),
            colors,
            heading: Some("Acme Sans".into()),
            body: Some("Manrope".into()),
            tone: Some("warm".into()),
            handle: Some("@acme".into()),
            url: Some("https://Acme.example/x".into()),
            style: Some("bold".into()),
            footer: Some(false),
        };
        assert_eq!((written.content, written.default, written.warnings.len()), (content, true, 0));
        let bare = kit(&json!({"name": "A"})).unwrap();
        assert_eq!((bare.content.footer, bare.default, bare.content.colors), (None, false, KitColors::default()));
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let faults = kit(&json!({
            "name": "", "isDefault": 1, "colors": {"primary": "red", "text": 7}, "fonts": {"heading": "Comic Sans"},
            "tone": "a\u{0}b", "handle": "two words", "url": "javascript:alert(1)", "visualStyle": "loud", "footer": "no",
        }))
        .unwrap_err();
        let fields: Vec<&str> = faults.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "name",
                "colors.text",
                "colors.primary",
                "fonts.heading",
                "tone",
                "handle",
                "url",
                "visualStyle",
                "footer",
                "isDefault"
            ]
        );
        assert_eq!(kit(&json!({})).unwrap_err(), [("name".to_owned(), "missing_field")]);
        assert_eq!(kit(&json!({"name": "A", "colors": []})).unwrap_err(), [("colors".to_owned(), "invalid_value")]);
    }

    #[test]
    fn fields_that_are_not_known_are_warned_of_with_the_nearest() {
        let written = kit(&json!({"name": "A", "colours": {}, "colors": {"primry": "#000000"}})).unwrap();
        let told: Vec<&str> = written.warnings.iter().map(|w| w.message.as_str()).collect();
        assert!(told[0].contains("mean colors?") && told[1].contains("mean colors.primary?"), "{told:?}");
    }

    #[test]
    fn a_kit_can_be_sent_back_as_it_was_read() {
        let read = json!({
            "name": "A", "id": "x", "createdAt": "x", "updatedAt": "x", "logoUrl": "http://h/files/a", "logoDarkUrl": null,
            "colors": {"primary": null}, "fonts": {"heading": null, "body": null}, "tone": null, "isDefault": false,
        });
        let written = kit(&read).unwrap();
        assert_eq!(written.without, [LogoVariant::Dark]);
        assert!(written.clone().warnings(|_| true).is_empty());
        let told = written.warnings(|_| false);
        assert!(told[0].message.contains("variant=light"), "{told:?}");
    }

    #[test]
    fn addresses_are_those_of_sites() {
        for url in
            ["acme.example", "https://acme.example", "HTTP://acme.example:8080/a?b#c", "müller.example", "a-b.c.d/"]
        {
            assert!(is_address(url), "{url}");
        }
        for url in ["acme", "ftp://acme.example", "javascript:alert(1)", "https://", "a b.example", ".example", "a..b"]
        {
            assert!(!is_address(url), "{url}");
        }
        assert_eq!(without_scheme("Https://acme.example/"), "acme.example/");
    }
}
