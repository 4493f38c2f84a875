(** * Networks that meet the lower bound for x^2

    For all widths m_1, ..., m_L there is a network with skip connections that is within
    1/(8 N^2) of x^2 on [0, 1], where N = (m_1 + 1) ... (m_L + 1).  It uses the zigzag
    with M = m + 1 pieces: on [0, 1],

      x^2 = Q(x) - (v - v^2) / M^2,    v = zigzag of x,

    where Q interpolates x^2 at the multiples of 1/M.  Both Q and the zigzag are affine
    forms of x and the m units max(M x - j, 0); the next layers treat v^2 likewise.  By
    [square_least_error] no network of these widths does better. *)

From Coq Require Import Reals List Lra Lia Psatz.
From DepthSep Require Import Network Pieces ThreePoints Lower Square.
Import ListNotations.
Open Scope R_scope.

(** ** The zigzag and the interpolation, with t = M x *)

(** 2, or -2 for odd j. *)
Fixpoint turn (j : nat) : R := match j with O => 2 | S j' => - turn j' end.

Fixpoint zig (m : nat) (t : R) : R :=
  match m with
  | O => t
  | S m' => zig m' t + turn m * relu (t - INR m)
  end.

Fixpoint chord (m : nat) (t : R) : R :=
  match m with
  | O => t
  | S m' => chord m' t + 2 * relu (t - INR m)
  end.

Lemma relu_pos u : 0 <= u -> relu u = u.
Proof. intros; unfold relu; apply Rmax_left; lra. Qed.

Lemma relu_neg u : u <= 0 -> relu u = 0.
Proof. intros; unfold relu; apply Rmax_right; lra. Qed.

(** Where all m units are active. *)
Lemma last_piece m t : INR m <= t ->
  chord m t = (2 * INR m + 1) * t - INR m * (INR m + 1) /\
  ((turn m = 2 /\ zig m t = t - INR m) \/ (turn m = -2 /\ zig m t = INR m + 1 - t)).
Proof.
  induction m as [|m IH]; intros T.
  - simpl in *; split; [ring|left; lra].
  - rewrite S_INR in T; destruct IH as [C Z]; [lra|].
    cbn [chord zig turn]; rewrite S_INR, relu_pos, C by lra.
    split; [ring|]; destruct Z as [[-> ->]|[-> ->]]; [right|left]; lra.
Qed.

Lemma zig_chord m t : 0 <= t <= INR m + 1 ->
  0 <= zig m t <= 1 /\ chord m t - t ^ 2 = zig m t * (1 - zig m t).
Proof.
  induction m as [|m IH]; intros T.
  - simpl in *; split; [lra|ring].
  - rewrite S_INR in T; destruct (Rle_lt_dec t (INR m + 1)) as [B|B].
    + cbn [chord zig]; rewrite S_INR, relu_neg, !Rmult_0_r, !Rplus_0_r by lra.
      apply IH; lra.
    + destruct (last_piece (S m) t) as [C Z]; rewrite S_INR in *; [lra|].
      rewrite C; destruct Z as [[_ ->]|[_ ->]]; (split; [lra|ring]).
Qed.

(** ** The approximation of x^2, as a function *)

Fixpoint approx (ms : list nat) (x : R) : R :=
  match ms with
  | [] => x - 1 / 8
  | m :: rest => let M := INR (m + 1) in let t := M * x in
      (chord m t - zig m t + approx rest (zig m t)) / M ^ 2
  end.

Lemma approx_error ms : forall x, 0 <= x <= 1 ->
  Rabs (approx ms x - x ^ 2) <= 1 / (8 * INR (most_pieces ms) ^ 2).
Proof.
  induction ms as [|m ms IH]; intros x X.
  - replace (1 / _) with (1 / 8) by (simpl; field).
    pose proof (pow2_ge_0 (x - 1 / 2)); cbn [approx]; apply Rabs_le; split; nra.
  - cbn [approx most_pieces]; rewrite mult_INR; set (M := INR (m + 1)).
    assert (P : INR m + 1 = M) by (unfold M; rewrite plus_INR; reflexivity).
    assert (MP : 0 < M) by (rewrite <- P; pose proof (pos_INR m); lra).
    assert (NP : 0 < INR (most_pieces ms)) by apply lt_0_INR, most_pieces_pos.
    destruct (zig_chord m (M * x)) as [V C]; [rewrite P; nra|].
    specialize (IH _ V); set (v := zig m (M * x)) in *.
    replace ((chord m (M * x) - v + approx ms v) / M ^ 2 - x ^ 2)
      with ((approx ms v - v ^ 2) / M ^ 2).
    + unfold Rdiv at 1; rewrite Rabs_mult, (Rabs_pos_eq (/ M ^ 2)).
      * replace (1 / (8 * (M * INR (most_pieces ms)) ^ 2))
          with (1 / (8 * INR (most_pieces ms) ^ 2) * / M ^ 2) by (field; lra).
        apply Rmult_le_compat_r; auto.
        apply Rlt_le, Rinv_0_lt_compat; nra.
      * apply Rlt_le, Rinv_0_lt_compat; nra.
    + replace (chord m (M * x)) with ((M * x) ^ 2 + v * (1 - v)) by lra.
      field; lra.
Qed.

(** ** The network

    [c] is the form whose value v is to be squared, [o] the output so far, and [s] the
    factor of the square that is still to be added. *)

Definition scale (s : R) (ws : list R) : list R := map (Rmult s) ws.

Fixpoint add (ws vs : list R) : list R :=
  match ws, vs with
  | w :: ws', v :: vs' => (w + v) :: add ws' vs'
  | [], _ => vs
  | _, [] => ws
  end.

Lemma dot_scale s ws : forall vs, dot (scale s ws) vs = s * dot ws vs.
Proof.
  induction ws as [|w ws IH]; intros [|v vs]; simpl; try ring.
  rewrite IH; ring.
Qed.

Lemma dot_nil_r ws : dot ws [] = 0.
Proof. now destruct ws. Qed.

Lemma dot_add ws : forall us vs, dot (add ws us) vs = dot ws vs + dot us vs.
Proof.
  induction ws as [|w ws IH]; intros [|u us] [|v vs]; simpl; try ring.
  rewrite IH; ring.
Qed.

Lemma dot_app ws : forall us vs ts, length ws = length vs ->
  dot (ws ++ us) (vs ++ ts) = dot ws vs + dot us ts.
Proof.
  induction ws as [|w ws IH]; intros us [|v vs] ts H; simpl in *; try easy; [ring|].
  rewrite IH by lia; ring.
Qed.

(** The units max(M c - j, 0), j = 1, ..., m, and their weights in a list. *)
Fixpoint units (m : nat) (M : R) (c : form) : layer :=
  match m with
  | O => []
  | S m' => units m' M c ++ [Form (scale M (weights c)) (M * bias c - INR m)]
  end.

Fixpoint coefficients (m : nat) (w : nat -> R) : list R :=
  match m with
  | O => []
  | S m' => coefficients m' w ++ [w m]
  end.

Fixpoint build (ms : list nat) (c o : form) (s : R) : list layer * form :=
  match ms with
  | [] => ([], Form (add (weights o) (scale s (weights c)))
                 (bias o + s * (bias c - 1 / 8)))
  | m :: rest =>
      let M := INR (m + 1) in
      let r := s / M ^ 2 in
      let c' := Form (scale M (weights c) ++ coefficients m turn) (M * bias c) in
      let o' :=
        Form (weights o ++ coefficients m (fun j => r * (2 - turn j))) (bias o) in
      let (lss, out) := build rest c' o' r in
      (units m M c :: lss, out)
  end.

Definition square_network (ms : list nat) : network :=
  let (lss, out) := build ms (Form [1] 0) (Form [0] 0) 1 in Network lss out.

Lemma length_units m M c : length (units m M c) = m.
Proof. induction m; simpl; rewrite ?app_length; simpl; lia. Qed.

Lemma length_coefficients m w : length (coefficients m w) = m.
Proof. induction m; simpl; rewrite ?app_length; simpl; lia. Qed.

Lemma length_scale s ws : length (scale s ws) = length ws.
Proof. apply map_length. Qed.

Lemma build_widths ms : forall c o s, map (@length form) (fst (build ms c o s)) = ms.
Proof.
  induction ms as [|m ms IH]; intros c o s; [reflexivity|]; cbn [build].
  specialize (IH (Form (scale (INR (m + 1)) (weights c) ++ coefficients m turn)
      (INR (m + 1) * bias c))
    (Form (weights o ++ coefficients m
      (fun j => s / INR (m + 1) ^ 2 * (2 - turn j))) (bias o))
    (s / INR (m + 1) ^ 2)).
  destruct (build _ _ _ _) as [lss out]; simpl in *; now rewrite length_units, IH.
Qed.

(** What a combination of the units contributes. *)
Lemma dot_units m M c state w :
  dot (coefficients m w) (map (fun l => relu (eval l state)) (units m M c)) =
  (fix go m := match m with
    | O => 0
    | S m' => go m' + w m * relu (M * eval c state - INR m)
    end) m.
Proof.
  induction m as [|m IH]; [reflexivity|].
  cbn [coefficients units]; rewrite map_app, dot_app.
  - rewrite IH; f_equal; cbn [map dot]; rewrite Rplus_0_r; f_equal; f_equal.
    unfold eval; cbn [weights bias]; rewrite dot_scale; ring.
  - now rewrite map_length, length_units, length_coefficients.
Qed.

Lemma zig_units m M c state :
  dot (coefficients m turn) (map (fun l => relu (eval l state)) (units m M c)) =
  zig m (M * eval c state) - M * eval c state.
Proof.
  rewrite dot_units; set (t := M * eval c state); clearbody t.
  induction m as [|m IH]; [simpl; ring|]; cbn [zig]; rewrite IH; ring.
Qed.

Lemma chord_units m M c state r :
  dot (coefficients m (fun j => r * (2 - turn j)))
    (map (fun l => relu (eval l state)) (units m M c)) =
  r * (chord m (M * eval c state) - zig m (M * eval c state)).
Proof.
  rewrite dot_units; set (t := M * eval c state); clearbody t.
  induction m as [|m IH]; [simpl; ring|]; cbn [zig chord]; rewrite IH; ring.
Qed.

Lemma build_value ms : forall c o s state,
  length (weights c) = length state -> length (weights o) = length state ->
  eval (snd (build ms c o s)) (run (fst (build ms c o s)) state) =
  eval o state + s * approx ms (eval c state).
Proof.
  induction ms as [|m ms IH]; intros c o s state HC HO.
  - unfold eval; simpl; rewrite dot_add, dot_scale; ring.
  - cbn [build approx]; set (M := INR (m + 1)).
    set (r := s / M ^ 2).
    set (c' := Form (scale M (weights c) ++ coefficients m turn) (M * bias c)).
    set (o' := Form (weights o ++ coefficients m (fun j => r * (2 - turn j))) (bias o)).
    specialize (IH c' o' r (step (units m M c) state)).
    destruct (build ms c' o' r) as [lss out]; cbn [fst snd run] in *.
    rewrite IH.
    + assert (EC : eval c' (step (units m M c) state) = zig m (M * eval c state)).
      { unfold eval at 1, step; simpl; rewrite dot_app by now rewrite length_scale.
        rewrite zig_units, dot_scale; unfold eval; ring. }
      assert (EO : eval o' (step (units m M c) state) = eval o state +
        r * (chord m (M * eval c state) - zig m (M * eval c state))).
      { unfold eval at 1, step; simpl; rewrite dot_app by easy.
        rewrite chord_units; unfold eval; ring. }
      rewrite EC, EO; unfold r, Rdiv; ring.
    + simpl; unfold step; rewrite !app_length, map_length, length_scale, length_units,
        length_coefficients; lia.
    + simpl; unfold step; rewrite !app_length, map_length, length_units,
        length_coefficients; lia.
Qed.

(** ** The theorems *)

Theorem square_network_widths ms : widths (square_network ms) = ms.
Proof.
  unfold square_network; pose proof (build_widths ms (Form [1] 0) (Form [0] 0) 1).
  destruct (build _ _ _ _); assumption.
Qed.

Theorem square_network_error (ms : list nat) (x : R) : 0 <= x <= 1 ->
  Rabs (value (square_network ms) x - x ^ 2) <= 1 / (8 * INR (most_pieces ms) ^ 2).
Proof.
  intros X.
  replace (value (square_network ms) x) with (approx ms x);
    [now apply approx_error|].
  pose proof (build_value ms (Form [1] 0) (Form [0] 0) 1 [x] eq_refl eq_refl) as B.
  unfold square_network, value; destruct (build _ _ _ _); simpl in *.
  rewrite B; unfold eval; simpl.
  replace (1 * x + 0 + 0) with x by ring; ring.
Qed.

(** The least error of networks of widths ms, with skips, is 1/(8 N^2): it is attained,
    and nothing below it. *)
Theorem square_optimal (ms : list nat) :
  let best := 1 / (8 * INR (most_pieces ms) ^ 2) in
  (exists net, widths net = ms /\
     forall x, 0 <= x <= 1 -> Rabs (value net x - x ^ 2) <= best) /\
  (forall net E, widths net = ms -> E < best ->
     exists x, 0 <= x <= 1 /\ Rabs (value net x - x ^ 2) > E).
Proof.
  intros best; split.
  - exists (square_network ms); split; [apply square_network_widths|].
    exact (square_network_error ms).
  - intros net E H HE; apply square_least_error; now rewrite H.
Qed.
