(** * Examples: sawtooths *)

From Coq Require Import Reals ZArith NArith List Lra.
From DepthSep Require Import Network Pieces Lower Sawtooth.
Import ListNotations.
Open Scope R_scope.

(** Two hidden layers of width at most 21 are not within 0.49 of the sawtooth with 2^10
    pieces: 22^2 = 484 pieces meet 512 witnesses. *)
Theorem sawtooth_10 : forall net : network,
  (length (widths net) <= 2)%nat ->
  Forall (fun m => (m <= 21)%nat) (widths net) ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - sawtooth 10 x) > 49 / 100.
Proof.
  apply (sawtooth_lower 49 100 10 2 21 (even_triples 512));
    [vm_compute; reflexivity | lra].
Qed.

Print Assumptions sawtooth_10.

(** The sawtooth with 2^60 pieces: no list of witnesses, but the theorem for all k. *)
Theorem sawtooth_60 : forall net : network,
  (length (widths net) <= 2)%nat ->
  Forall (fun m => (m <= N.to_nat 759250123)%nat) (widths net) ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - sawtooth 60 x) > 49 / 100.
Proof. apply (sawtooth_lower_all 60 2 759250123); [vm_compute; reflexivity | lra]. Qed.

Print Assumptions sawtooth_60.
