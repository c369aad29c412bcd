//! The guarded network client. Everything that the service fetches for a user, or sends to a URL that a user supplies
//! ([`Poster`]), goes through this module. Apart from it, only [`crate::llm`] connects to other hosts, and only to the
//! operator's own endpoint.
//!
//! A user may supply any URL, so a request must not reach anything that the user could not reach without this service
//! (server-side request forgery). [`Guard::judge`] first judges a URL by scheme, port and address. Then a name is
//! resolved once, every resulting address is judged, and the connection goes to one of exactly these addresses: there
//! is no second lookup that could answer differently. Each redirect starts over. There are no proxies, cookies,
//! credentials or reused connections. A page that consists of a redirect counts as one. Only [`Checked`] addresses can
//! be dialled, and only [`Guard`] creates them.
//!
//! Sizes, times and redirects have limits ([`Limits`]), which count what arrives, not what is announced.

mod address;
mod allow;
mod body;
mod connect;
mod deny;
pub(crate) mod dial;
mod error;
mod fetch;
mod guard;
mod kind;
mod limits;
mod parts;
mod post;
mod refresh;
mod refusal;
mod resolve;

pub use allow::{AllowedHost, NoHost};
pub use deny::{Network, NoNetwork};
pub use dial::{Dialler, Stream, TcpDialler};
pub use error::FetchError;
pub use fetch::{Fetched, Fetcher};
pub use guard::{Checked, Guard};
pub use kind::Kind;
pub use limits::Limits;
pub use parts::Parts;
pub use post::{Message, Poster};
pub use refusal::{Refusal, Target};
pub use resolve::{Resolver, SystemResolver};

#[cfg(test)]
mod tests;
