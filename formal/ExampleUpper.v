(** * Examples: upper bounds for x^2 on [0, 1] *)

From Coq Require Import Reals QArith Qreals List Lra Lia.
From DepthSep Require Import Network Pieces Lower Square Upper Certificate.
Import ListNotations.
Open Scope R_scope.

(** ** An explicit network without skip connections

    Two hidden layers, of widths 2 and 3.  The zeros are the weights of the missing
    connections: the second layer does not read x, the output reads the second layer
    only. *)
Definition layers : list (list qform) :=
  [[([1], 0); ([2], -1)];
   [([0; 4; -4], -1); ([0; 1; 0], 0); ([0; 0; 1], 0)]]%Q.

Definition out : qform := ([0; 0; 0; 1 # 8; 1 # 4; 3 # 4], -1 # 128)%Q.

(** It is within 1/128 of x^2 at every point of [0, 1]. *)
Theorem plain_network : forall x, 0 <= x <= 1 ->
  Rabs (value (network_of layers out) x - x ^ 2) <= 1 / 128.
Proof.
  apply (square_upper layers out (1 # 128) 0 1 [1 # 4; 1 # 2; 3 # 4]%Q);
    [vm_compute; reflexivity | unfold Q2R; simpl; lra ..].
Qed.

Print Assumptions plain_network.

(** ** Skip connections: widths (18, 18) meet the accuracy 10^-6

    By [two_layers_of_17] no width of 17 does, with or without skip connections. *)
Theorem skips_18_18 : exists net : network, widths net = [18; 18]%nat /\
  forall x, 0 <= x <= 1 -> Rabs (value net x - x ^ 2) <= 1 / 1000000.
Proof.
  exists (square_network [18; 18]%nat); split; [apply square_network_widths|].
  intros x X; pose proof (square_network_error [18; 18]%nat x X) as H.
  replace (INR (most_pieces [18; 18]%nat)) with 361 in H; [lra|].
  rewrite INR_IZR_INZ; reflexivity.
Qed.

Print Assumptions skips_18_18.

Print Assumptions square_optimal.
