(** * Examples: x^2 on [0, 1] at accuracy 10^-6

    353 witnesses, the most that there are in this family: 1/(4 n^2) > 2 10^-6 holds for
    n <= 353.  So 353 pieces are too few. *)

From Coq Require Import Reals ZArith List Lra.
From DepthSep Require Import Network Pieces Lower Square.
Import ListNotations.
Open Scope R_scope.

(** What is claimed for depth L and width W. *)
Definition too_narrow (L W : nat) : Prop :=
  forall net : network,
    (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
    exists x, 0 <= x <= 1 /\ Rabs (value net x - x ^ 2) > 1 / 1000000.

Ltac prove_square n L W :=
  let d := eval vm_compute in (2 * Z.of_nat n)%Z in
  apply (square_lower 1 1000000 d 0 d L W (even_triples n));
  [vm_compute; reflexivity | lra | lra | lra].

(** No network with two hidden layers of width at most 17 is within 10^-6 of x^2. *)
Theorem two_layers_of_17 : forall net : network,
  (length (widths net) <= 2)%nat ->
  Forall (fun m => (m <= 17)%nat) (widths net) ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - x ^ 2) > 1 / 1000000.
Proof. prove_square 353%nat 2%nat 17%nat. Qed.

Print Assumptions two_layers_of_17.

(** One to six hidden layers need the widths 353, 18, 7, 4, 3, 2. *)
Theorem table : too_narrow 1 352 /\ too_narrow 2 17 /\ too_narrow 3 6 /\
  too_narrow 4 3 /\ too_narrow 5 2 /\ too_narrow 6 1.
Proof.
  unfold too_narrow; repeat apply conj.
  - prove_square 353%nat 1%nat 352%nat.
  - prove_square 353%nat 2%nat 17%nat.
  - prove_square 353%nat 3%nat 6%nat.
  - prove_square 353%nat 4%nat 3%nat.
  - prove_square 353%nat 5%nat 2%nat.
  - prove_square 353%nat 6%nat 1%nat.
Qed.

Print Assumptions table.
