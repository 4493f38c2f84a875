(** * Lower bounds for formulas in exp, sin, cos, sqrt, ln, atan, ...

    The gaps are compared with 2E by the interval arithmetic of coq-interval, one triple
    at a time; the order of the witnesses and their number are checked in Z. *)

From Coq Require Import Reals ZArith QArith Qreals List Lra.
From Interval Require Export Tactic.
From DepthSep Require Import Network Pieces ThreePoints Lower Certificate.
Import ListNotations.
Open Scope bool_scope.
Open Scope R_scope.

Definition formula_check (d za zb : Z) (L W : nat) (ts : list ztriple) : bool :=
  certified (fun _ => true) d za zb L W ts.

Theorem formula_lower (f : R -> R) (d za zb : Z) (L W : nat) (ts : list ztriple)
  (E a b : R) :
  formula_check d za zb L W ts = true ->
  a * IZR d = IZR za -> b * IZR d = IZR zb ->
  curved f E (map (triple_over d) ts) ->
  forall net : network,
    (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
    exists x, a <= x <= b /\ Rabs (value net x - f x) > E.
Proof.
  unfold formula_check, certified.
  rewrite !Bool.andb_true_iff, Z.ltb_lt, Z.leb_le.
  intros ((((D & I) & S) & _) & N) Ha Hb V; pose proof (IZR_lt _ _ D) as D'.
  replace a with (over d za) by (unfold over; rewrite <- Ha; field; lra).
  replace b with (over d zb) by (unfold over; rewrite <- Hb; field; lra).
  apply lower with (map (triple_over d) ts); auto.
  - now apply over_le.
  - now apply zsorted_sound.
  - rewrite map_length; now apply enough_sound.
Qed.

(** Proves [curved f E (map (triple_over d) ts)] for a list [ts] that is written out. *)
Ltac gaps_by_interval :=
  cbn [map triple_over curved]; unfold gap, over; cbv beta;
  repeat split; interval with (i_prec 90).

(** Proves [fits f E cs] for the upper bounds of Certificate.v. *)
Ltac fits_by_interval :=
  cbn [fits]; unfold Q2R; cbn [Qnum Qden]; cbv beta;
  repeat split; intros x X; interval with (i_bisect x, i_taylor x, i_prec 60).
