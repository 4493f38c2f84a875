(** * The three-point lemma, and why few pieces do not suffice

    If g is affine on [x, z] and within E of f at x < y < z, then f is within 2E of its
    own chord at y.  So a triple with a larger gap is a witness: g has a break strictly
    between x and z.  Hence n witnesses side by side need n + 1 pieces. *)

From Coq Require Import Reals List Lra Lia Psatz.
From DepthSep Require Import Network Pieces.
Import ListNotations.
Open Scope R_scope.

(** The distance of f from its chord over [x, z], at y. *)
Definition gap (f : R -> R) (x y z : R) : R :=
  Rabs (f y - ((z - y) * f x + (y - x) * f z) / (z - x)).

Lemma Rabs_bounds u e : Rabs u <= e -> - e <= u <= e.
Proof. unfold Rabs; destruct (Rcase_abs u); lra. Qed.

Lemma three_points f g E x y z : x < y < z -> affine_on g x z ->
  Rabs (g x - f x) <= E -> Rabs (g y - f y) <= E -> Rabs (g z - f z) <= E ->
  gap f x y z <= 2 * E.
Proof.
  intros I (s & t & A) X Y Z; unfold gap.
  rewrite (A x), (A y), (A z) in * by lra.
  set (u := (z - y) / (z - x)); set (v := (y - x) / (z - x)).
  assert (U : 0 <= u) by (apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat]; lra).
  assert (V : 0 <= v) by (apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat]; lra).
  assert (UV : u + v = 1) by (unfold u, v; field; lra).
  assert (M : u * x + v * z = y) by (unfold u, v; field; lra).
  replace (((z - y) * f x + (y - x) * f z) / (z - x)) with (u * f x + v * f z)
    by (unfold u, v; field; lra).
  clearbody u v.
  replace (f y - (u * f x + v * f z)) with
    (u * (s * x + t - f x) + v * (s * z + t - f z) - (s * y + t - f y))
    by (rewrite <- M; replace u with (1 - v) by lra; ring).
  apply Rabs_bounds in X, Y, Z; apply Rabs_le; nra.
Qed.

(** ** Lists of witnesses *)

Definition triple := (R * R * R)%type.

(** Triples x < y < z in [a, b] from left to right, each beginning where the one before
    ends, or later. *)
Fixpoint sorted (a b : R) (ts : list triple) : Prop :=
  match ts with
  | [] => True
  | (x, y, z) :: rest => a <= x /\ x < y /\ y < z /\ z <= b /\ sorted z b rest
  end.

(** The gap of f exceeds 2E at every triple. *)
Fixpoint curved (f : R -> R) (E : R) (ts : list triple) : Prop :=
  match ts with
  | [] => True
  | (x, y, z) :: rest => 2 * E < gap f x y z /\ curved f E rest
  end.

(** g is within E of f at all the points. *)
Fixpoint close (f g : R -> R) (E : R) (ts : list triple) : Prop :=
  match ts with
  | [] => True
  | (x, y, z) :: rest => Rabs (g x - f x) <= E /\ Rabs (g y - f y) <= E /\
      Rabs (g z - f z) <= E /\ close f g E rest
  end.

Lemma curved_app f E ts us : curved f E (ts ++ us) -> curved f E ts /\ curved f E us.
Proof. induction ts as [|[[x y] z] ts IH]; simpl; tauto. Qed.

Lemma close_app f g E ts us :
  close f g E (ts ++ us) -> close f g E ts /\ close f g E us.
Proof. induction ts as [|[[x y] z] ts IH]; simpl; tauto. Qed.

Lemma sorted_left a a' b ts : a' <= a -> sorted a b ts -> sorted a' b ts.
Proof. destruct ts as [|[[x y] z] ts]; simpl; intuition lra. Qed.

(** A point c cuts at most one of the triples. *)
Lemma sorted_split ts : forall a b c, a <= c <= b -> sorted a b ts ->
  exists left mid right, ts = left ++ mid ++ right /\ (length mid <= 1)%nat /\
  sorted a c left /\ sorted c b right.
Proof.
  induction ts as [|[[x y] z] ts IH]; intros a b c C S.
  - exists [], [], []; simpl; auto.
  - simpl in S; destruct S as (AX & XY & YZ & ZB & S).
    destruct (Rle_lt_dec z c) as [ZC|ZC]; [|destruct (Rle_lt_dec c x) as [CX|CX]].
    + destruct (IH z b c) as (l & m & r & -> & M & SL & SR); [lra|auto|].
      exists ((x, y, z) :: l), m, r; simpl; auto 10.
    + exists [], [], ((x, y, z) :: ts); simpl; auto 10.
    + exists [], [(x, y, z)], ts; simpl; repeat split; auto.
      apply sorted_left with z; auto; lra.
Qed.

(** k pieces meet fewer than k witnesses. *)
Lemma few_witnesses f g E k a b : affine_pieces k g a b -> forall ts,
  sorted a b ts -> curved f E ts -> close f g E ts -> (length ts < k)%nat.
Proof.
  induction 1 as [a b G|j k a c b C _ IH1 _ IH2]; intros ts S V N.
  - destruct ts as [|[[x y] z] ts]; [simpl; lia|].
    simpl in S, V, N.
    destruct G as (s & t & G).
    enough (gap f x y z <= 2 * E) by lra.
    apply three_points with g; try lra.
    exists s, t; intros; apply G; lra.
  - destruct (sorted_split ts a b c C S) as (l & m & r & -> & M & SL & SR).
    apply curved_app in V as [VL V]; apply curved_app in V as [_ VR].
    apply close_app in N as [NL N]; apply close_app in N as [_ NR].
    specialize (IH1 l SL VL NL); specialize (IH2 r SR VR NR).
    rewrite !app_length; lia.
Qed.

Lemma close_or_far f g E a b ts : sorted a b ts -> close f g E ts \/
  exists x, a <= x <= b /\ Rabs (g x - f x) > E.
Proof.
  revert a; induction ts as [|[[x y] z] ts IH]; intros a S; [now left|].
  simpl in S; destruct S as (AX & XY & YZ & ZB & S).
  destruct (Rle_lt_dec (Rabs (g x - f x)) E) as [X|X]; [|right; exists x; lra].
  destruct (Rle_lt_dec (Rabs (g y - f y)) E) as [Y|Y]; [|right; exists y; lra].
  destruct (Rle_lt_dec (Rabs (g z - f z)) E) as [Z|Z]; [|right; exists z; lra].
  destruct (IH z S) as [N|(w & W & F)]; [left; simpl; auto|].
  right; exists w; lra.
Qed.

(** n pieces are too few for n witnesses: n + 1 are needed. *)
Theorem too_few_pieces f g E n a b ts : sorted a b ts -> curved f E ts ->
  (n <= length ts)%nat -> affine_pieces n g a b ->
  exists x, a <= x <= b /\ Rabs (g x - f x) > E.
Proof.
  intros S V N P.
  destruct (close_or_far f g E a b ts S) as [C|F]; [exfalso|exact F].
  pose proof (few_witnesses f g E n a b P ts S V C); lia.
Qed.
