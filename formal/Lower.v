(** * Lower bounds: no network of a given depth and width is within E of f on [a, b] *)

From Coq Require Import Reals ZArith List Lra Lia Psatz.
From DepthSep Require Import Network Pieces ThreePoints.
Import ListNotations.
Open Scope bool_scope.
Open Scope R_scope.

(** Widths m_1, ..., m_L with (m_1 + 1) ... (m_L + 1) <= the number of witnesses. *)
Theorem lower_widths (f : R -> R) (E a b : R) (ts : list triple) (net : network) :
  a <= b -> sorted a b ts -> curved f E ts ->
  (most_pieces (widths net) <= length ts)%nat ->
  exists x, a <= x <= b /\ Rabs (value net x - f x) > E.
Proof.
  intros I S V N.
  destruct (theorem_A net a b I) as (k & K & P).
  apply (too_few_pieces f (value net) E k a b ts); auto; lia.
Qed.

(** At most L hidden layers, all of width at most W. *)
Theorem lower (f : R -> R) (E a b : R) (ts : list triple) (L W : nat) :
  a <= b -> sorted a b ts -> curved f E ts -> ((W + 1) ^ L <= length ts)%nat ->
  forall net : network,
    (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
    exists x, a <= x <= b /\ Rabs (value net x - f x) > E.
Proof.
  intros I S V N net HL HW.
  destruct (theorem_A_width net L W a b I HL HW) as (k & K & P).
  apply (too_few_pieces f (value net) E k a b ts); auto; lia.
Qed.

(** ** Witnesses as integers over a common denominator, checked by computation in Z *)

Definition ztriple := (Z * Z * Z)%type.

(** The integer n over the denominator d, and a triple over d. *)
Definition over (d n : Z) : R := IZR n / IZR d.

Definition triple_over (d : Z) (t : ztriple) : triple :=
  let '(x, y, z) := t in (over d x, over d y, over d z).

Fixpoint zsorted (a b : Z) (ts : list ztriple) : bool :=
  match ts with
  | [] => true
  | (x, y, z) :: rest =>
      if ((a <=? x) && (x <? y) && (y <? z) && (z <=? b))%Z then zsorted z b rest
      else false
  end.

(** (W + 1)^L <= length ts, in binary. *)
Definition enough (L W : nat) {A} (ts : list A) : bool :=
  ((Z.of_nat W + 1) ^ Z.of_nat L <=? Z.of_nat (length ts))%Z.

Lemma over_le d m n : (0 < d)%Z -> (m <= n)%Z -> over d m <= over d n.
Proof.
  intros D H; unfold over, Rdiv; apply Rmult_le_compat_r, IZR_le; auto.
  apply Rlt_le, Rinv_0_lt_compat, IZR_lt; lia.
Qed.

Lemma over_lt d m n : (0 < d)%Z -> (m < n)%Z -> over d m < over d n.
Proof.
  intros D H; unfold over, Rdiv; apply Rmult_lt_compat_r, IZR_lt; auto.
  apply Rinv_0_lt_compat, IZR_lt; lia.
Qed.

Lemma zsorted_sound d ts : (0 < d)%Z -> forall a b, zsorted a b ts = true ->
  sorted (over d a) (over d b) (map (triple_over d) ts).
Proof.
  intros D; induction ts as [|[[x y] z] ts IH]; intros a b; simpl; auto.
  destruct (_ && _)%bool eqn:E; [|easy]; intros H.
  rewrite !Bool.andb_true_iff, !Z.leb_le, !Z.ltb_lt in E.
  repeat split; try apply over_le; try apply over_lt; auto; tauto.
Qed.

Lemma enough_sound L W {A} (ts : list A) :
  enough L W ts = true -> ((W + 1) ^ L <= length ts)%nat.
Proof.
  unfold enough; rewrite Z.leb_le; intros H.
  apply Nat2Z.inj_le; rewrite Nat2Z.inj_pow, Nat2Z.inj_add; exact H.
Qed.

(** [good t] implies that the gap at the triple t exceeds 2E. *)
Lemma curved_sound f E d (good : ztriple -> bool) (ts : list ztriple) :
  (forall x y z, (x < y < z)%Z -> good (x, y, z) = true ->
     2 * E < gap f (over d x) (over d y) (over d z)) ->
  forall a b, zsorted a b ts = true -> forallb good ts = true ->
  curved f E (map (triple_over d) ts).
Proof.
  intros G; induction ts as [|[[x y] z] ts IH]; intros a b; [easy|].
  cbn [zsorted forallb map curved triple_over].
  destruct (_ && _)%bool eqn:O; [|easy]; intros S H.
  rewrite !Bool.andb_true_iff, !Z.leb_le, !Z.ltb_lt in O.
  apply Bool.andb_true_iff in H as [H1 H2]; split; [apply G; auto; lia|].
  apply IH with z b; auto.
Qed.

(** The whole check, with a test [good] of one triple. *)
Definition certified (good : ztriple -> bool) (d a b : Z) (L W : nat) ts : bool :=
  ((0 <? d) && (a <=? b))%Z && zsorted a b ts && forallb good ts && enough L W ts.

Theorem lower_certified f E (good : ztriple -> bool) d a b L W ts :
  (forall x y z, (0 < d)%Z -> (x < y < z)%Z -> good (x, y, z) = true ->
     2 * E < gap f (over d x) (over d y) (over d z)) ->
  certified good d a b L W ts = true ->
  forall net : network,
    (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
    exists x, over d a <= x <= over d b /\ Rabs (value net x - f x) > E.
Proof.
  unfold certified; rewrite !Bool.andb_true_iff, Z.ltb_lt, Z.leb_le.
  intros G ((((D & I) & S) & C) & N).
  apply lower with (map (triple_over d) ts).
  - now apply over_le.
  - now apply zsorted_sound.
  - apply curved_sound with good a b; auto.
  - rewrite map_length; now apply enough_sound.
Qed.

(** ** Consecutive triples

    (0, 1, 2), (2, 3, 4), ..., (2n - 2, 2n - 1, 2n). *)
Definition even_triples (n : nat) : list ztriple :=
  map (fun i => let i := Z.of_nat i in (2 * i, 2 * i + 1, 2 * i + 2)%Z) (seq 0 n).

Lemma even_sorted n : forall m, zsorted (2 * Z.of_nat m) (2 * Z.of_nat (m + n))
  (map (fun i => let i := Z.of_nat i in (2 * i, 2 * i + 1, 2 * i + 2)%Z) (seq m n))
  = true.
Proof.
  induction n as [|n IH]; intros m; [easy|]; cbn [seq map zsorted].
  destruct (_ && _)%bool eqn:O.
  - specialize (IH (S m)).
    replace (2 * Z.of_nat m + 2)%Z with (2 * Z.of_nat (S m))%Z by lia.
    now replace (m + S n)%nat with (S m + n)%nat by lia.
  - exfalso; rewrite <- Bool.not_true_iff_false in O; apply O.
    rewrite !Bool.andb_true_iff, !Z.leb_le, !Z.ltb_lt; lia.
Qed.

Lemma even_curved f E d n : forall m,
  (forall i, (m <= i < m + n)%nat -> let i := Z.of_nat i in
     2 * E < gap f (over d (2 * i)) (over d (2 * i + 1)) (over d (2 * i + 2))) ->
  curved f E (map (triple_over d) (map (fun i => let i := Z.of_nat i in
    (2 * i, 2 * i + 1, 2 * i + 2)%Z) (seq m n))).
Proof.
  induction n as [|n IH]; intros m H; [easy|]; cbn [seq map curved triple_over].
  split; [apply (H m); lia|apply IH; intros i I; apply (H i); lia].
Qed.
