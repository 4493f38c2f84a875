(** * Lower bounds for the sawtooths: the tent map applied k times *)

From Coq Require Import Reals ZArith NArith List Lra Lia Psatz.
From DepthSep Require Import Network Pieces ThreePoints Lower.
Import ListNotations.
Open Scope bool_scope.
Open Scope R_scope.

(** The tent map: 2x on [0, 1/2] and 2 - 2x on [1/2, 1]. *)
Definition tent (x : R) : R := 1 - Rabs (2 * x - 1).

Fixpoint sawtooth (k : nat) (x : R) : R :=
  match k with
  | O => x
  | S k' => sawtooth k' (tent x)
  end.

(** ** The values at the multiples of 2^-k are 0, 1, 0, 1, ... *)

Definition two (k : nat) : Z := (2 ^ Z.of_nat k)%Z.

Lemma two_pos k : (0 < two k)%Z.
Proof. unfold two; apply Z.pow_pos_nonneg; lia. Qed.

Lemma two_S k : two (S k) = (2 * two k)%Z.
Proof. unfold two; rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia. Qed.

Definition parity (i : Z) : Z := if Z.odd i then 1 else 0.

Lemma tent_over d i : (0 < d)%Z -> (0 <= i <= 2 * d)%Z ->
  tent (over (2 * d) i) = over d (if i <=? d then i else 2 * d - i)%Z.
Proof.
  intros D I; apply IZR_lt in D; unfold tent, over.
  rewrite mult_IZR.
  replace (2 * (IZR i / (2 * IZR d)) - 1) with ((IZR i - IZR d) / IZR d)
    by (field; lra).
  pose proof (Rinv_0_lt_compat _ D) as V.
  destruct (Z.leb_spec i d) as [L|L].
  - apply IZR_le in L; rewrite Rabs_left1; [field; lra|].
    unfold Rdiv; nra.
  - apply IZR_lt in L; rewrite Rabs_pos_eq; [|unfold Rdiv; nra].
    rewrite minus_IZR, mult_IZR; field; lra.
Qed.

Lemma sawtooth_over k : forall i, (0 <= i <= two k)%Z ->
  sawtooth k (over (two k) i) = IZR (parity i).
Proof.
  induction k as [|k IH]; intros i I.
  - assert (E : (i = 0 \/ i = 1)%Z) by (unfold two in I; simpl in I; lia).
    destruct E as [-> | ->]; unfold over, two, parity; simpl; lra.
  - rewrite two_S in *; cbn [sawtooth]; pose proof (two_pos k).
    rewrite tent_over by auto.
    destruct (Z.leb_spec i (two k)); rewrite IH by lia; auto.
    unfold parity; rewrite Z.odd_sub, Z.odd_mul; simpl; now destruct (Z.odd i).
Qed.

(** The gap of the sawtooth at points of the grid, times z - x. *)
Lemma gap_sawtooth k x y z : (0 <= x)%Z -> (x < y < z)%Z -> (z <= two k)%Z ->
  gap (sawtooth k) (over (two k) x) (over (two k) y) (over (two k) z) * IZR (z - x) =
  IZR (Z.abs ((z - x) * parity y - ((z - y) * parity x + (y - x) * parity z))).
Proof.
  intros X H Z; unfold gap; rewrite !sawtooth_over by lia; unfold over.
  pose proof (IZR_lt _ _ (two_pos k)).
  assert (P : IZR x < IZR z) by (apply IZR_lt; lia).
  rewrite <- (Rabs_pos_eq (IZR (z - x))) by (rewrite minus_IZR; lra).
  rewrite <- Rabs_mult, abs_IZR; f_equal.
  repeat rewrite ?minus_IZR, ?plus_IZR, ?mult_IZR; field; lra.
Qed.

Lemma gap_consecutive k j : (0 <= j)%Z -> (2 * j + 2 <= two k)%Z ->
  gap (sawtooth k) (over (two k) (2 * j)) (over (two k) (2 * j + 1))
    (over (two k) (2 * j + 2)) = 1.
Proof.
  intros J K.
  assert (G := gap_sawtooth k (2 * j) (2 * j + 1) (2 * j + 2)
    ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (P0 : parity (2 * j) = 0%Z) by (unfold parity; now rewrite Z.odd_mul).
  assert (P1 : parity (2 * j + 1) = 1%Z)
    by (unfold parity; now rewrite Z.odd_add, Z.odd_mul).
  assert (P2 : parity (2 * j + 2) = 0%Z)
    by (unfold parity; now rewrite Z.odd_add, Z.odd_mul).
  rewrite P0, P1, P2 in G.
  replace (2 * j + 2 - 2 * j)%Z with 2%Z in G by ring.
  replace (Z.abs _) with 2%Z in G by lia; lra.
Qed.

(** ** Any witnesses, checked by computation

    The accuracy is p/q; the points are integers over 2^k. *)

Definition sawtooth_good (p q : Z) (k : nat) (t : ztriple) : bool :=
  let '(x, y, z) := t in
  ((0 <=? x) && (z <=? two k) && (2 * p * (z - x) <? q *
    Z.abs ((z - x) * parity y - ((z - y) * parity x + (y - x) * parity z))))%Z.

Definition sawtooth_check (p q : Z) (k L W : nat) (ts : list ztriple) : bool :=
  (0 <? q)%Z && certified (sawtooth_good p q k) (two k) 0 (two k) L W ts.

Theorem sawtooth_lower (p q : Z) (k L W : nat) (ts : list ztriple) (E : R) :
  sawtooth_check p q k L W ts = true -> E * IZR q = IZR p ->
  forall net : network,
    (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
    exists x, 0 <= x <= 1 /\ Rabs (value net x - sawtooth k x) > E.
Proof.
  unfold sawtooth_check; rewrite Bool.andb_true_iff, Z.ltb_lt.
  intros [Q C] HE; apply IZR_lt in Q; pose proof (IZR_lt _ _ (two_pos k)).
  replace 0 with (over (two k) 0) by (unfold over, Rdiv; ring).
  replace 1 with (over (two k) (two k)) by (unfold over; field; lra).
  apply (lower_certified _ _ (sawtooth_good p q k) _ _ _ L W ts); auto.
  intros x y z _ I G; unfold sawtooth_good in G.
  rewrite !Bool.andb_true_iff, !Z.leb_le, Z.ltb_lt in G.
  destruct G as [[G1 G2] G3].
  apply IZR_lt in G3; rewrite !mult_IZR, <- (gap_sawtooth k), <- HE in G3 by auto.
  assert (P : 0 < IZR (z - x)) by (apply IZR_lt; lia).
  set (g := gap _ _ _ _) in *; set (w := IZR (z - x)) in *.
  apply Rmult_lt_reg_r with (IZR q * w); [now apply Rmult_lt_0_compat|].
  lra.
Qed.

(** ** All sawtooths at once *)

(** Below 1/2 no accuracy can be met with (m_1 + 1) ... (m_L + 1) <= 2^(k-1). *)
Theorem sawtooth_least_pieces (net : network) (k : nat) (E : R) : E < 1 / 2 ->
  (most_pieces (widths net) <= 2 ^ k)%nat ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - sawtooth (S k) x) > E.
Proof.
  intros HE N; set (n := (2 ^ k)%nat) in *.
  assert (T : two (S k) = (2 * Z.of_nat n)%Z).
  { rewrite two_S; unfold n, two; rewrite Nat2Z.inj_pow; lia. }
  pose proof (two_pos (S k)) as D; pose proof (IZR_lt _ _ D).
  apply (lower_widths _ E 0 1 (map (triple_over (two (S k))) (even_triples n)));
    try lra.
  - replace 0 with (over (two (S k)) (2 * Z.of_nat 0))
      by (unfold over, Rdiv; simpl; ring).
    replace 1 with (over (two (S k)) (2 * Z.of_nat (0 + n))).
    + apply zsorted_sound; auto; apply even_sorted.
    + simpl Nat.add; rewrite <- T; unfold over; field; lra.
  - apply even_curved; intros i I; cbv zeta; set (j := Z.of_nat i).
    rewrite gap_consecutive; [lra|lia|rewrite T; unfold j; lia].
  - unfold even_triples; rewrite !map_length, seq_length; exact N.
Qed.

(** The same for at most L layers of width at most W, with a computation in binary. *)
Theorem sawtooth_lower_all (k L : nat) (W : N) (E : R) :
  ((W + 1) ^ N.of_nat L * 2 <=? 2 ^ N.of_nat k)%N = true -> E < 1 / 2 ->
  forall net : network,
    (length (widths net) <= L)%nat ->
    Forall (fun m => (m <= N.to_nat W)%nat) (widths net) ->
    exists x, 0 <= x <= 1 /\ Rabs (value net x - sawtooth k x) > E.
Proof.
  rewrite N.leb_le; intros C HE net HL HW.
  destruct k as [|k].
  { exfalso; simpl in C.
    assert ((W + 1) ^ N.of_nat L <> 0)%N by (apply N.pow_nonzero; lia); lia. }
  apply sawtooth_least_pieces; auto.
  apply most_pieces_power in HW.
  assert ((N.to_nat W + 1) ^ length (widths net) <= (N.to_nat W + 1) ^ L)%nat
    by (apply Nat.pow_le_mono_r; lia).
  enough ((N.to_nat W + 1) ^ L <= 2 ^ k)%nat by lia.
  rewrite Nat2N.inj_succ, N.pow_succ_r' in C.
  assert (C' : ((W + 1) ^ N.of_nat L <= 2 ^ N.of_nat k)%N) by lia.
  apply N2Z.inj_le in C'; rewrite !N2Z.inj_pow, !nat_N_Z in C'.
  apply Nat2Z.inj_le; rewrite !Nat2Z.inj_pow.
  replace (Z.of_nat (N.to_nat W + 1)) with (Z.of_N (W + 1)) by lia.
  exact C'.
Qed.
