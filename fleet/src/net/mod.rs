//! The guarded dialler: everything that is fetched for a user comes through here, and everything that is sent to where a
//! user says ([`Poster`]). Beside it, only [`crate::llm`] dials, and that to the operator's own endpoint.
//!
//! A user may name any URL, so a request must not reach what the user could not reach without this service (server-side
//! request forgery). A URL is judged first ([`Guard::judge`]), by scheme, port and address; a name is looked up once,
//! every address found is judged, and the connection goes to one of exactly these: no second look-up that could answer
//! otherwise. Each redirect begins anew. There is no proxy, no cookie, no credential and no connection that is used
//! twice. A page that consists of a redirect is one. Only [`Checked`] addresses can be dialled, and only [`Guard`] makes them.
//!
//! Sizes, times and redirects have ceilings ([`Limits`]), counted on what arrives, not on what is announced.

mod address;
mod allow;
mod body;
mod connect;
mod deny;
pub(crate) mod dial;
mod fetch;
mod guard;
mod kind;
mod post;
mod refresh;
mod refusal;

pub use allow::{AllowedHost, NoHost};
pub use deny::{Network, NoNetwork};
pub use dial::{Dialler, Resolver, Stream, SystemResolver, TcpDialler};
pub use fetch::{FetchError, Fetched, Fetcher, Limits, Parts};
pub use guard::{Checked, Guard};
pub use kind::Kind;
pub use post::{Message, Poster};
pub use refusal::{Refusal, Target};

#[cfg(test)]
mod tests;
