//! predicates
