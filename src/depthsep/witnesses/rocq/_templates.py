"""The form of a generated file for Rocq (Coq); formal/ has what it imports."""

LOWER = """\
(** {title}

    A generated file.  Build it with  coqc -Q FORMAL DepthSep FILE.v  where FORMAL is
    the folder of Network.v.  What depends on the claim is between the marks. *)

From Coq Require Import Reals ZArith NArith List Lra.
From DepthSep Require Import {modules}.
Import ListNotations.
Open Scope R_scope.

(* --- generated: the witnesses --- *)
(** Triples x < y < z, as integers over the denominator {denominator}. *)
Definition witnesses : list ztriple :=
  [{triples}]%Z.
(* --- end of generated --- *)
{target}
(* --- generated: depth, width, interval, accuracy --- *)
(** No network with at most {L} hidden layers of width at most {W}, with any skip
    connections and any real weights, is within {E} of
    {name} on [{a}, {b}]. *)
Theorem too_narrow : forall net : network,
  (length (widths net) <= {L})%nat ->
  Forall (fun m => (m <= {W})%nat) (widths net) ->
  exists x, {a} <= x <= {b} /\\ Rabs (value net x - {f}) > {E}.
Proof.
{proof}
Qed.
(* --- end of generated --- *)

Print Assumptions too_narrow.
"""

UPPER = """\
(** {title}

    A generated file.  Build it with  coqc -Q FORMAL DepthSep FILE.v  where FORMAL is
    the folder of Network.v.  What depends on the claim is between the marks. *)

From Coq Require Import Reals QArith Qreals List Lra.
From DepthSep Require Import {modules}.
Import ListNotations.
Open Scope R_scope.

(* --- generated: the network; per unit ([weights], bias).  The weights are those of
   x and of all units in earlier layers; a missing connection has the weight 0. --- *)
Definition layers : list (list qform) :=
  [{layers}]%Q.

Definition out : qform :=
  {out}%Q.

(** Points between which no unit changes its sign; the ends are left out. *)
Definition points : list Q :=
  [{points}]%Q.
(* --- end of generated --- *)
{target}
(* --- generated: widths, interval, accuracy --- *)
(** The network is within {E} of {name} on all of [{a}, {b}]. *)
Theorem within : widths (network_of layers out) = [{widths}]%nat /\\
  forall x, {a} <= x <= {b} ->
  Rabs (value (network_of layers out) x - {f}) <= {E}.
Proof.
  split; [reflexivity|].
{proof}
Qed.
(* --- end of generated --- *)

Print Assumptions within.
"""

TARGET = """
(* --- generated: the target --- *)
Definition target (x : R) : R :=
{text}.
(* --- end of generated --- *)
"""
