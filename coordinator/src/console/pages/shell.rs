//! The frame around every page: the navigation, the content security policy, and the initial data of the page's module.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::seat::Seat;
use crate::app::App;
use crate::console::assets;

/// The content of the frame.
pub(super) struct Frame<'a> {
    /// The page's name.
    pub name: &'static str,
    /// The heading of the page.
    pub title: &'a str,
    /// A sentence below the heading.
    pub lead: Option<&'static str>,
    /// Style sheets in addition to the page's own.
    pub styles: &'static [&'static str],
    /// The initial data as JSON.
    pub data: &'a str,
    /// The account's balance in credits.
    pub balance: u64,
}

/// A navigation entry: path, icon, label, the pages that belong to it, and whether only staff see it.
struct Place(&'static str, &'static str, &'static str, &'static [&'static str], bool);

const PLACES: [Place; 7] = [
    Place("/", "plus", "Create", &["create"], false),
    Place("/library", "images", "Library", &["library", "generation", "image"], false),
    Place("/brands", "palette", "Brand kits", &["brands", "brand"], false),
    Place("/integrations", "plug", "Integrations", &["integrations"], false),
    Place("/credits", "coins", "Credits", &["credits"], false),
    Place("/account", "user", "Account", &["account"], false),
    Place("/fleet", "server", "Fleet", &["fleet"], true),
];

/// A random nonce for one page: only scripts that carry it run.
pub(super) struct Nonce(String);

impl Nonce {
    /// Creates a nonce.
    pub fn fresh() -> Self {
        let mut bytes = [0; 16];
        // Without random bytes the nonce stays empty, matches no script, and so no script runs.
        match getrandom::fill(&mut bytes) {
            Ok(()) => Self(STANDARD.encode(bytes)),
            Err(_) => Self(String::new()),
        }
    }
}

/// Renders a page of the console.
pub(super) fn page(app: &App, seat: &Seat, frame: &Frame<'_>) -> Response {
    let (nonce, prefix) = (Nonce::fresh(), app.console.prefix());
    let data = frame.data.replace('<', "\\u003c");
    let body = html! {
        a.skip href="#stage" { "Skip to the content" }
        div.shell {
            (rail(prefix, seat, frame))
            main.page {
                div.page-inner #stage tabindex="-1" {
                    div.page-head {
                        div {
                            h1 { (frame.title) }
                            @if let Some(lead) = frame.lead { p { (lead) } }
                        }
                    }
                    noscript { div.note.warn { div { "The console needs JavaScript. The API at " code { "/docs" } " does not." } } }
                }
            }
        }
        div.toasts #toasts role="status" aria-live="polite" {}
        script #data type="application/json" { (PreEscaped(data)) }
    };
    let who = Who { csrf: &seat.csrf_token, plan: seat.account.plan.name(), role: seat.member.role.name() };
    answer(html_page(prefix, &nonce, frame.name, frame.title, Some(&who), frame.styles, &body), &nonce)
}

/// Renders a page without navigation, for visitors who are not logged in and for errors.
pub(super) fn bare(prefix: &str, name: &'static str, title: &str, body: &Markup) -> Response {
    let nonce = Nonce::fresh();
    answer(html_page(prefix, &nonce, name, title, None, &[], body), &nonce)
}

/// What the page shows about the logged-in member.
struct Who<'a> {
    csrf: &'a str,
    plan: &'a str,
    role: &'a str,
}

fn html_page(
    prefix: &str,
    nonce: &Nonce,
    name: &str,
    title: &str,
    who: Option<&Who<'_>>,
    styles: &[&str],
    body: &Markup,
) -> Markup {
    let asset = |file: &str| format!("{prefix}{}", assets::path(file));
    let (style, module) = (format!("{name}.css"), format!("{name}.js"));
    html! {
        (DOCTYPE)
        html lang="en" data-base=(prefix) data-page=(name) data-icons=(asset("vendored/icons.svg"))
            data-csrf=[who.map(|w| w.csrf)] data-plan=[who.map(|w| w.plan)] data-role=[who.map(|w| w.role)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Vivid" }
                link rel="icon" href=(ICON);
                link rel="preload" as="font" type="font/woff2" crossorigin href=(asset("vendored/geist.woff2"));
                script nonce=(nonce.0) src=(asset("theme.js")) {}
                link rel="stylesheet" href=(asset("base.css"));
                @for style in styles.iter().copied().chain(assets::has(&style).then_some(style.as_str())) {
                    link rel="stylesheet" href=(asset(style));
                }
                @if who.is_some() { script type="module" nonce=(nonce.0) src=(asset("shell.js")) {} }
                @if assets::has(&module) { script type="module" nonce=(nonce.0) src=(asset(&module)) {} }
            }
            body { (body) }
        }
    }
}

/// The favicon: the first letter on the accent colour.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect \
    width='32' height='32' rx='7' fill='%23c8401f'/%3E%3Cpath d='M8 9h4l4 11 4-11h4l-6.4 15h-3.2z' fill='%23fff'/%3E%3C/svg%3E";

/// Renders the logo and the service's name.
pub(super) fn mark(prefix: &str) -> Markup {
    html! {
        a.brandmark href={ (prefix) "/" } aria-label="Vivid" {
            svg viewBox="0 0 32 32" aria-hidden="true" {
                rect width="32" height="32" rx="7" fill="#c8401f" {}
                path d="M8 9h4l4 11 4-11h4l-6.4 15h-3.2z" fill="#fff" {}
            }
            span { "Vivid" }
        }
    }
}

fn rail(prefix: &str, seat: &Seat, frame: &Frame<'_>) -> Markup {
    let icon = |name: &str| {
        html! {
            svg.icon viewBox="0 0 24 24" aria-hidden="true" {
                use href={ (prefix) (assets::path("vendored/icons.svg")) "#" (name) } {}
            }
        }
    };
    html! {
        header.rail {
            (mark(prefix))
            nav.places aria-label="Places" {
                @for Place(path, sign, words, pages, staff) in PLACES.iter().filter(|place| !place.4 || seat.member.admin) {
                    a href={ (prefix) (path) } aria-current=[pages.contains(&frame.name).then_some("page")] data-staff=[staff.then_some("")] {
                        (icon(sign)) span { (words) }
                    }
                }
            }
            div.foot {
                a.purse href={ (prefix) "/credits" } {
                    span.quiet.small { "Credits" }
                    b #balance { (grouped(frame.balance)) }
                }
                div.places.theme {
                    button type="button" data-theme-toggle { (icon("sun-moon")) span { "System theme" } }
                    button type="button" data-sign-out { (icon("log-out")) span { "Sign out" } }
                }
            }
        }
    }
}

/// Formats a number as `12,345`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn answer(page: Markup, nonce: &Nonce) -> Response {
    let mut response = Html(page.into_string()).into_response();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{}'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        nonce.0
    );
    let said = [
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ];
    for (name, value) in said {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, said) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), said);
        }
    }

    #[test]
    fn a_nonce_is_used_once() {
        assert_ne!(Nonce::fresh().0, Nonce::fresh().0);
        assert_eq!(Nonce::fresh().0.len(), 24);
    }
}
