(** A network for a formula at accuracy 1 / 1000

    A generated file.  Build it with  coqc -Q FORMAL DepthSep FILE.v  where FORMAL is
    the folder of Network.v.  What depends on the claim is between the marks. *)

From Coq Require Import Reals QArith Qreals List Lra.
From DepthSep Require Import Network Certificate Formula.
Import ListNotations.
Open Scope R_scope.

(* --- generated: the network; per unit ([weights], bias).  The weights are those of
   x and of all units in earlier layers; a missing connection has the weight 0. --- *)
Definition layers : list (list qform) :=
  [[([1], -97 # 1000);
    ([1], -19 # 100);
    ([1], -279 # 1000);
    ([1], -91 # 250);
    ([1], -223 # 500);
    ([1], -131 # 250);
    ([1], -599 # 1000);
    ([1], -84 # 125);
    ([1], -371 # 500);
    ([1], -81 # 100);
    ([1], -7 # 8);
    ([1], -939 # 1000)]]%Q.

Definition out : qform :=
  ([101861 # 97000; 47183 # 451050; 910273 # 8277000; 869333 # 7565000;
    837151 # 6970000; 79867 # 639600; 41963 # 325000; 184339 # 1368750;
    357523 # 2555000; 86193 # 595000; 20637 # 138125; 643603 # 4160000;
    623609 # 3904000], 999377 # 1000000)%Q.

(** Points between which no unit changes its sign; the ends are left out. *)
Definition points : list Q :=
  [97 # 1000; 19 # 100; 279 # 1000; 91 # 250; 223 # 500; 131 # 250; 599 # 1000;
   84 # 125; 371 # 500; 81 # 100; 7 # 8; 939 # 1000]%Q.
(* --- end of generated --- *)

(* --- generated: the target --- *)
Definition target (x : R) : R :=
  exp x.
(* --- end of generated --- *)

(* --- generated: widths, interval, accuracy --- *)
(** The network is within 1 / 1000 of the target on all of [0, 1]. *)
Theorem within : widths (network_of layers out) = [12]%nat /\
  forall x, 0 <= x <= 1 ->
  Rabs (value (network_of layers out) x - target x) <= 1 / 1000.
Proof.
  split; [reflexivity|].
  eapply (formula_upper target layers out 0 1 points);
    [vm_compute; reflexivity | unfold Q2R; simpl; lra | unfold Q2R; simpl; lra |].
  unfold target; fits_by_interval.
Qed.
(* --- end of generated --- *)

Print Assumptions within.
