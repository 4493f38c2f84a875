(** * Lower bounds for x^2 *)

From Coq Require Import Reals ZArith List Lra Lia Psatz.
From DepthSep Require Import Network Pieces ThreePoints Lower.
Import ListNotations.
Open Scope bool_scope.
Open Scope R_scope.

Definition square (x : R) : R := x ^ 2.

(** The gap of x^2 is (y - x)(z - y). *)
Lemma gap_square x y z : x < y < z -> gap square x y z = (y - x) * (z - y).
Proof.
  intros H; unfold gap, square.
  replace (y ^ 2 - ((z - y) * x ^ 2 + (y - x) * z ^ 2) / (z - x))
    with (- ((y - x) * (z - y))) by (field; lra).
  rewrite Rabs_Ropp; apply Rabs_pos_eq; nra.
Qed.

(** ** Any witnesses, checked by computation

    The accuracy is p/q, the points are integers over d. *)

Definition square_good (p q d : Z) (t : ztriple) : bool :=
  let '(x, y, z) := t in (2 * p * d * d <? q * ((y - x) * (z - y)))%Z.

Lemma square_good_sound p q d x y z : (0 < q)%Z -> (0 < d)%Z -> (x < y < z)%Z ->
  square_good p q d (x, y, z) = true ->
  2 * (IZR p / IZR q) < gap square (over d x) (over d y) (over d z).
Proof.
  intros Q D H G.
  rewrite gap_square by (split; apply over_lt; lia).
  apply Z.ltb_lt, IZR_lt in G; rewrite !mult_IZR, !minus_IZR in G.
  apply IZR_lt in Q, D.
  unfold over; apply Rmult_lt_reg_r with (IZR q * IZR d * IZR d).
  - repeat apply Rmult_lt_0_compat; auto.
  - replace (2 * (IZR p / IZR q) * (IZR q * IZR d * IZR d))
      with (2 * IZR p * IZR d * IZR d) by (field; lra).
    replace ((IZR y / IZR d - IZR x / IZR d) * (IZR z / IZR d - IZR y / IZR d)
      * (IZR q * IZR d * IZR d))
      with (IZR q * ((IZR y - IZR x) * (IZR z - IZR y))) by (field; lra).
    exact G.
Qed.

(** What has to evaluate to [true]: the accuracy is p/q, the interval [za/d, zb/d]. *)
Definition square_check (p q d za zb : Z) (L W : nat) (ts : list ztriple) : bool :=
  (0 <? q)%Z && certified (square_good p q d) d za zb L W ts.

Theorem square_lower (p q d za zb : Z) (L W : nat) (ts : list ztriple) (E a b : R) :
  square_check p q d za zb L W ts = true ->
  E * IZR q = IZR p -> a * IZR d = IZR za -> b * IZR d = IZR zb ->
  forall net : network,
    (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
    exists x, a <= x <= b /\ Rabs (value net x - x ^ 2) > E.
Proof.
  unfold square_check; rewrite Bool.andb_true_iff, Z.ltb_lt.
  intros [Q C] HE Ha Hb.
  assert (D : (0 < d)%Z).
  { unfold certified in C; rewrite !Bool.andb_true_iff, Z.ltb_lt in C; tauto. }
  pose proof (IZR_lt _ _ Q) as Q'; pose proof (IZR_lt _ _ D) as D'.
  replace E with (IZR p / IZR q) by (rewrite <- HE; field; lra).
  replace a with (over d za) by (unfold over; rewrite <- Ha; field; lra).
  replace b with (over d zb) by (unfold over; rewrite <- Hb; field; lra).
  apply (lower_certified square _ (square_good p q d) d za zb L W ts); auto.
  intros; now apply square_good_sound.
Qed.

(** ** All accuracies at once *)

(** No network of widths m_1, ..., m_L is closer to x^2 on [0, 1] than 1/(8 N^2), where
    N = (m_1 + 1) ... (m_L + 1). *)
Theorem square_least_error (net : network) (E : R) :
  E < 1 / (8 * INR (most_pieces (widths net)) ^ 2) ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - x ^ 2) > E.
Proof.
  set (n := most_pieces (widths net)); intros HE.
  assert (N : (0 < n)%nat) by apply most_pieces_pos.
  set (d := (2 * Z.of_nat n)%Z).
  assert (D : (0 < d)%Z) by (unfold d; lia).
  assert (NR : IZR d = 2 * INR n) by (unfold d; rewrite mult_IZR, <- INR_IZR_INZ; lra).
  assert (NP : 0 < INR n) by now apply lt_0_INR.
  assert (A : over d 0 = 0) by (unfold over, Rdiv; ring).
  assert (B : over d (2 * Z.of_nat n) = 1).
  { unfold over; fold d; field; rewrite NR; lra. }
  apply (lower_widths square E 0 1 (map (triple_over d) (even_triples n))); try lra.
  - rewrite <- A, <- B; apply zsorted_sound; auto; apply (even_sorted n 0).
  - apply even_curved; intros i _; cbv zeta; set (k := Z.of_nat i).
    rewrite gap_square by (split; apply over_lt; lia).
    unfold over; rewrite !plus_IZR, NR.
    replace (((IZR (2 * k) + 1) / (2 * INR n) - IZR (2 * k) / (2 * INR n)) *
      ((IZR (2 * k) + 2) / (2 * INR n) - (IZR (2 * k) + 1) / (2 * INR n)))
      with (2 * (1 / (8 * INR n ^ 2))) by (field; lra).
    lra.
  - unfold even_triples; rewrite !map_length, seq_length; lia.
Qed.
