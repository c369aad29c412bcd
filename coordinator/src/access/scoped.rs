//! Callers with the scope that an operation needs.

use std::marker::PhantomData;
use std::ops::Deref;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::caller::Authorised;
use crate::accounts::Scope;
use crate::http::error::ApiError;
use crate::state::Visitor;

/// What an operation needs, as a type.
pub trait Needed {
    /// The scope that the caller needs.
    const SCOPE: Scope;
    /// Another scope that suffices.
    const OR: Scope = Self::SCOPE;
}

/// Declares a type for each scope.
macro_rules! scopes {
    ($($name:ident)*) => {$(
        #[doc = concat!("[`Scope::", stringify!($name), "`](crate::accounts::Scope::", stringify!($name), ").")]
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl super::Needed for $name {
            const SCOPE: super::Scope = super::Scope::$name;
        }
    )*};
}

/// The scopes as types.
pub mod scope {
    scopes! { GenerationsRead GenerationsWrite ImagesEdit BrandsRead BrandsWrite CreditsRead }
}

/// A caller with a scope that `S` names. Handlers take it before everything else of the request, so that a caller
/// without the scope doesn't learn what else is wrong.
#[derive(Debug, Clone)]
pub struct Scoped<S>(Authorised, PhantomData<S>);

impl<S> Deref for Scoped<S> {
    type Target = Authorised;

    fn deref(&self) -> &Authorised {
        &self.0
    }
}

impl<S> From<Visitor> for Scoped<S> {
    /// Sessions have all scopes.
    fn from(visitor: Visitor) -> Self {
        Self(Authorised::visiting(visitor), PhantomData)
    }
}

impl<N: Needed, S: Send + Sync> FromRequestParts<S> for Scoped<N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let caller = Authorised::from_request_parts(parts, state).await?;
        caller.need(N::SCOPE).or_else(|missing| caller.need(N::OR).map_err(|_| missing))?;
        Ok(Self(caller, PhantomData))
    }
}
