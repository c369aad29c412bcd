//! Accounts: plans, scopes and roles.

use serde::{Deserialize, Serialize};

/// A plan. It is stored by index, so append new plans at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Plan {
    /// Free of charge, with images at 2K.
    Free,
    /// Paid, with every resolution. So are the plans below.
    Pro,
    /// Costs less than Pro, with fewer credits.
    Starter,
    /// Costs more than Pro, with more credits.
    Business,
}

impl Plan {
    /// All plans, by price.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Pro, Self::Business];

    /// Returns the plan's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
            Self::Business => "business",
        }
    }

    /// Returns the plan with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Returns whether it includes the features that the API reserves for paid plans.
    pub fn is_paid(self) -> bool {
        self != Self::Free
    }
}

/// The credits that each plan grants at the start of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MonthlyCredits {
    /// The free plan.
    pub free: u64,
    /// The starter plan.
    pub starter: u64,
    /// The pro plan.
    pub pro: u64,
    /// The business plan.
    pub business: u64,
}

impl MonthlyCredits {
    /// Returns the credits of a plan.
    pub fn of(&self, plan: Plan) -> u64 {
        match plan {
            Plan::Free => self.free,
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        }
    }
}

/// The bytes that an account of each plan may store in the object store; 0 for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StorageQuotas {
    /// The free plan.
    pub free: u64,
    /// The starter plan.
    pub starter: u64,
    /// The pro plan.
    pub pro: u64,
    /// The business plan.
    pub business: u64,
}

impl StorageQuotas {
    /// Returns the quota of a plan; `None` if there is no limit.
    pub fn of(&self, plan: Plan) -> Option<u64> {
        let bytes = match plan {
            Plan::Free => self.free,
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        };
        Some(bytes).filter(|bytes| *bytes > 0)
    }
}

/// A permission of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Read generations.
    GenerationsRead,
    /// Create generations.
    GenerationsWrite,
    /// Edit images.
    ImagesEdit,
    /// Read brand kits.
    BrandsRead,
    /// Write brand kits.
    BrandsWrite,
    /// Read the balance.
    CreditsRead,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 6] = [
        Self::GenerationsRead,
        Self::GenerationsWrite,
        Self::ImagesEdit,
        Self::BrandsRead,
        Self::BrandsWrite,
        Self::CreditsRead,
    ];

    /// Returns the scope with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Returns the scope's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::GenerationsRead => "generations:read",
            Self::GenerationsWrite => "generations:write",
            Self::ImagesEdit => "images:edit",
            Self::BrandsRead => "brands:read",
            Self::BrandsWrite => "brands:write",
            Self::CreditsRead => "credits:read",
        }
    }

    /// Returns its bit within [`Scopes`]. The bits are stored, so they are never renumbered.
    fn bit(self) -> u32 {
        match self {
            Self::GenerationsRead => 1,
            Self::GenerationsWrite => 1 << 1,
            Self::ImagesEdit => 1 << 2,
            Self::BrandsRead => 1 << 3,
            Self::BrandsWrite => 1 << 4,
            Self::CreditsRead => 1 << 5,
        }
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scopes(u32);

impl Scopes {
    /// All current and future scopes.
    pub const ALL: Self = Self(u32::MAX);

    /// Returns the set of these scopes.
    pub fn of(scopes: &[Scope]) -> Self {
        Self(scopes.iter().fold(0, |bits, s| bits | s.bit()))
    }

    /// Returns whether the set contains `scope`.
    pub fn allow(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Returns the names of the known scopes in the set.
    pub fn names(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.allow(*scope)).map(Scope::name).collect()
    }
}

/// The role of a member, which decides what the member may do in the account's console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The owner, who may do everything.
    Holder,
    /// May do everything but manage keys, members and the plan.
    Operator,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 2] = [Self::Holder, Self::Operator];

    /// Returns the role's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holder => "holder",
            Self::Operator => "operator",
        }
    }

    /// Returns the role with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_allows_its_members_only() {
        let set = Scopes::of(&[Scope::GenerationsRead, Scope::CreditsRead]);
        assert!(set.allow(Scope::GenerationsRead) && set.allow(Scope::CreditsRead));
        assert!(!set.allow(Scope::GenerationsWrite) && !set.allow(Scope::BrandsRead));
        assert!(Scopes::ALL.allow(Scope::ImagesEdit) && Scopes::ALL.allow(Scope::BrandsWrite));
        assert_eq!(set.names(), ["generations:read", "credits:read"]);
        assert_eq!(Scopes::ALL.names().len(), Scope::ALL.len());
    }

    #[test]
    fn names_read_back() {
        for plan in Plan::ALL {
            assert_eq!(Plan::from_name(plan.name()), Some(plan));
        }
        for scope in Scope::ALL {
            assert_eq!(Scope::from_name(scope.name()), Some(scope));
        }
        for role in Role::ALL {
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
        assert_eq!((Plan::from_name("gold"), Scope::from_name("all"), Role::from_name("")), (None, None, None));
    }
}
