(** A formula at accuracy 1 / 1000

    A generated file.  Build it with  coqc -Q FORMAL DepthSep FILE.v  where FORMAL is
    the folder of Network.v.  What depends on the claim is between the marks. *)

From Coq Require Import Reals ZArith NArith List Lra.
From DepthSep Require Import Network Lower Formula.
Import ListNotations.
Open Scope R_scope.

(* --- generated: the witnesses --- *)
(** Triples x < y < z, as integers over the denominator 1000. *)
Definition witnesses : list ztriple :=
  [(0,62,123);(123,182,239);(239,295,349);(349,401,453);(453,503,552);
   (552,599,646);(646,691,736);(736,779,822);(822,864,905);(905,945,984)]%Z.
(* --- end of generated --- *)

(* --- generated: the target --- *)
Definition target (x : R) : R :=
  exp x.
(* --- end of generated --- *)

(* --- generated: depth, width, interval, accuracy --- *)
(** No network with at most 1 hidden layers of width at most 9, with any skip
    connections and any real weights, is within 1 / 1000 of
    the target on [0, 1]. *)
Theorem too_narrow : forall net : network,
  (length (widths net) <= 1)%nat ->
  Forall (fun m => (m <= 9)%nat) (widths net) ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - target x) > 1 / 1000.
Proof.
  apply (formula_lower target 1000 0 1000 1 9 witnesses);
    [vm_compute; reflexivity | lra | lra | unfold witnesses, target; gaps_by_interval].
Qed.
(* --- end of generated --- *)

Print Assumptions too_narrow.
