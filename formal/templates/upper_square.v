(** A network for x^2 at accuracy 1 / 1152

    A generated file.  Build it with  coqc -Q FORMAL DepthSep FILE.v  where FORMAL is
    the folder of Network.v.  What depends on the claim is between the marks. *)

From Coq Require Import Reals QArith Qreals List Lra.
From DepthSep Require Import Network Certificate.
Import ListNotations.
Open Scope R_scope.

(* --- generated: the network; per unit ([weights], bias).  The weights are those of
   x and of all units in earlier layers; a missing connection has the weight 0. --- *)
Definition layers : list (list qform) :=
  [[([2], -1)];
   [([6; -6], -1);
    ([6; -6], -2)];
   [([12; -12; -4; 4], -1)]]%Q.

Definition out : qform :=
  ([1 # 12; 11 # 12; 1 # 12; 1 # 36; 1 # 72], -1 # 1152)%Q.

(** Points between which no unit changes its sign; the ends are left out. *)
Definition points : list Q :=
  [1 # 12; 1 # 6; 1 # 4; 1 # 3; 5 # 12; 1 # 2; 7 # 12; 2 # 3; 3 # 4; 5 # 6; 11 # 12]%Q.
(* --- end of generated --- *)

(* --- generated: widths, interval, accuracy --- *)
(** The network is within 1 / 1152 of x^2 on all of [0, 1]. *)
Theorem within : widths (network_of layers out) = [1; 2; 1]%nat /\
  forall x, 0 <= x <= 1 ->
  Rabs (value (network_of layers out) x - x ^ 2) <= 1 / 1152.
Proof.
  split; [reflexivity|].
  apply (square_upper layers out (1 # 1152) 0 1 points);
    [vm_compute; reflexivity | unfold Q2R; simpl; lra ..].
Qed.
(* --- end of generated --- *)

Print Assumptions within.
